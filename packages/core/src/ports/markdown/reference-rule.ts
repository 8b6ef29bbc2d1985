import type { Env, MarkdownIt, StateCore, Token } from 'markdown-it'
import { bareUrlMarkup } from './autolinks.ts'
import type { Reference, ReferenceCollector, Resolve, Resolved } from './reference.ts'
import type { WrittenReference } from './reference-markup.ts'
import { referenceMarkup } from './reference-markup.ts'
import { scanReferences } from './reference-scanner.ts'
import { referenceFromUrl } from './reference-url.ts'

interface CollectionContext {
  readonly references: ReferenceCollector
  readonly baseUrl: string | undefined
}

/** Collects the references of the text that is parsed with `environment`. */
export const collectReferences = (environment: Env, reading: CollectionContext): void => {
  environment.reading = reading
}

/** Sets the resolver for rendering with `environment`. It is called once per distinct reference. */
export const resolveReferences = (environment: Env, resolve: Resolve | undefined): void => {
  const resolved = new Map<Reference, Resolved | undefined>()
  environment.resolved = (reference: Reference): Resolved | undefined => {
    if (!resolved.has(reference)) resolved.set(reference, resolve?.(reference))
    return resolved.get(reference)
  }
}

/** The reference of a token of type `reference`. */
export const getWrittenReference = (token: Token): WrittenReference | undefined =>
  token.type === 'reference' ? (token.meta as unknown as WrittenReference) : undefined

/** Raw HTML elements without references: code, and links, which cannot contain another link. */
const rawTag = /<(\/?)(?:a|code|kbd|pre|samp|tt|var)(?=[\s/>])/gi

const rawDepthAfter = (depth: number, html: string): number => {
  let after = depth
  for (const [, slash] of html.matchAll(rawTag)) after = slash ? Math.max(0, after - 1) : after + 1
  return after
}

const referenceToken = (state: StateCore, written: WrittenReference): Token => {
  const token = new state.Token('reference', 'a', 0)
  token.content = written.text
  token.meta = { ...written }
  return token
}

const textToken = (state: StateCore, content: string): Token => {
  const token = new state.Token('text', '', 0)
  token.content = content
  return token
}

/** The adjacent character of an escape or entity; all other tokens separate words. */
const edge = (token: Token | undefined, at: 0 | -1) =>
  token?.type === 'text_special' ? (token.content.at(at) ?? '') : ''

/** Splits the text token at `index` into text and references and adds them to `pieces`. */
const splitText = (
  state: StateCore,
  siblings: readonly Token[],
  index: number,
  references: ReferenceCollector,
  pieces: Token[],
) => {
  const token = siblings[index]
  if (!token) return
  const { content } = token
  const found = scanReferences(content, { before: edge(siblings[index - 1], -1), after: edge(siblings[index + 1], 0) })
  let from = 0
  for (const { start, end, reference } of found) {
    const known = references.add(reference)
    if (!known) continue
    if (start > from) pieces.push(textToken(state, content.slice(from, start)))
    pieces.push(referenceToken(state, { reference: known, text: content.slice(start, end) }))
    from = end
  }
  if (from === 0) pieces.push(token)
  else if (from < content.length) pieces.push(textToken(state, content.slice(from)))
}

/** The reference for the three tokens of a bare URL, when it is the URL of an object of this platform. */
const fromBareUrl = (state: StateCore, siblings: readonly Token[], index: number, reading: CollectionContext) => {
  const text = siblings[index + 1]?.content ?? ''
  if (siblings[index]?.markup !== bareUrlMarkup || reading.baseUrl === undefined) return undefined
  const url = referenceFromUrl(text, reading.baseUrl)
  const known = url && reading.references.add(url.reference)
  return known && referenceToken(state, { reference: known, text, url })
}

const findReferences = (state: StateCore): void => {
  const reading = state.env.reading as CollectionContext | undefined
  if (!reading) return
  let depthOfBlocks = 0
  for (const block of state.tokens) {
    if (block.type === 'html_block') depthOfBlocks = rawDepthAfter(depthOfBlocks, block.content)
    if (block.type !== 'inline' || !block.children) continue
    const siblings = block.children
    const children: Token[] = []
    // Elements that a paragraph leaves open end with the paragraph.
    let rawDepth = depthOfBlocks
    let links = 0
    for (let index = 0; index < siblings.length; index++) {
      const token = siblings[index]
      if (!token) continue
      if (token.type === 'html_inline') rawDepth = rawDepthAfter(rawDepth, token.content)
      const isFree = links === 0 && rawDepth === 0
      const address = token.type === 'link_open' && isFree ? fromBareUrl(state, siblings, index, reading) : undefined
      if (address) {
        children.push(address)
        index += 2
        continue
      }
      if (token.type === 'link_open') links++
      else if (token.type === 'link_close') links--
      if (token.type === 'text' && isFree) splitText(state, siblings, index, reading.references, children)
      else children.push(token)
    }
    block.children = children
  }
}

/** Parses and renders references outside code, links and HTML attributes. */
export const withReferences = (parser: MarkdownIt): void => {
  parser.core.ruler.before('text_join', 'references', findReferences)
  parser.renderer.rules.reference = (tokens, index, _options, environment) => {
    const token = tokens[index]
    const written = token && getWrittenReference(token)
    if (!written) return ''
    const resolved = environment?.resolved as ((reference: Reference) => Resolved | undefined) | undefined
    return referenceMarkup(written, resolved?.(written.reference))
  }
}
