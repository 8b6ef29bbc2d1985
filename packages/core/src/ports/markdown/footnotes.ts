import type { MarkdownIt, StateCore, StateInline, Token } from 'markdown-it'
import { idPrefix } from './attribute-rules.ts'
import { definedFootnotes, footnoteLabelAt, withFootnoteDefinitions } from './footnote-definitions.ts'

const parseMention = (state: StateInline, silent: boolean): boolean => {
  // A link cannot contain another one, so the brackets are text within a link.
  if (silent || state.linkLevel > 0 || definedFootnotes(state.env).size === 0) return false
  const label = footnoteLabelAt(state.src, state.pos, state.posMax)
  if (label === undefined) return false
  const name = state.md.utils.normalizeReference(label)
  if (!definedFootnotes(state.env).has(name)) return false
  state.push('footnote_mention', 'sup', 0).info = name
  state.pos += label.length + 3
  return true
}

interface Footnote {
  readonly tokens: readonly Token[]
  readonly number: number
  mentions: number
}

/** Removes the definitions from the document. The first definition of a label counts. */
const extractDefinitions = (state: StateCore): Map<string, Token[]> => {
  const definitions = new Map<string, Token[]>()
  const rest: Token[] = []
  let target = rest
  for (const token of state.tokens) {
    if (token.type === 'footnote_open') {
      target = []
      if (!definitions.has(token.info)) definitions.set(token.info, target)
    } else if (token.type === 'footnote_close') target = rest
    else target.push(token)
  }
  state.tokens = rest
  return definitions
}

const mentionsIn = (tokens: readonly Token[]) =>
  tokens.flatMap(({ children }) => children?.filter(({ type }) => type === 'footnote_mention') ?? [])

/** Numbers the footnotes by their first mention; those that only other footnotes mention come last. */
const numberFootnotes = (tokens: readonly Token[], definitions: ReadonlyMap<string, Token[]>): readonly Footnote[] => {
  const footnotes = new Map<string, Footnote>()
  const ordered: Footnote[] = []
  const count = (mentions: readonly Token[]) => {
    for (const token of mentions) {
      let footnote = footnotes.get(token.info)
      if (!footnote) {
        footnote = { tokens: definitions.get(token.info) ?? [], number: ordered.length + 1, mentions: 0 }
        footnotes.set(token.info, footnote)
        ordered.push(footnote)
      }
      footnote.mentions++
      token.meta = { number: footnote.number, mention: footnote.mentions }
    }
  }
  count(mentionsIn(tokens))
  // `ordered` grows during the loop.
  for (const footnote of ordered) count(mentionsIn(footnote.tokens))
  return ordered
}

const createBackReferences = ({ Token }: StateCore, { number, mentions }: Footnote): Token[] =>
  Array.from({ length: mentions }, (_, index) => {
    const token = new Token('footnote_return', 'a', 0)
    token.meta = { number, mention: index + 1 }
    return token
  })

/** Appends the back references to the last paragraph, or in a new one when another block is last. */
const appendBackReferences = (state: StateCore, footnote: Footnote): readonly Token[] => {
  const { tokens } = footnote
  const back = createBackReferences(state, footnote)
  const last = tokens.at(-1)?.type === 'paragraph_close' ? tokens.at(-2) : undefined
  if (last?.children) {
    last.children = last.children.concat(back)
    return tokens
  }
  const inline = new state.Token('inline', '', 0)
  inline.children = back
  const [open, close] = [new state.Token('paragraph_open', 'p', 1), new state.Token('paragraph_close', 'p', -1)]
  open.block = true
  close.block = true
  return [...tokens, open, inline, close]
}

const moveFootnotesToEnd = (state: StateCore): void => {
  if (definedFootnotes(state.env).size === 0) return
  const definitions = extractDefinitions(state)
  const footnotes = numberFootnotes(state.tokens, definitions)
  if (footnotes.length === 0) return
  const section = (type: string, number = 0) => {
    const token = new state.Token(type, '', 0)
    token.meta = { number }
    return token
  }
  const items = footnotes.flatMap((footnote) => [
    section('footnote_item_open', footnote.number),
    ...appendBackReferences(state, footnote),
    section('footnote_item_close'),
  ])
  state.tokens = [...state.tokens, section('footnotes_open'), ...items, section('footnotes_close')]
}

const idOf = (number: unknown, mention: unknown) => `${idPrefix}fnref-${number}${mention === 1 ? '' : `-${mention}`}`

/** Renders `[^label]` as a number that links to the footnote at the end of the document. */
export const withFootnotes = (parser: MarkdownIt): void => {
  withFootnoteDefinitions(parser)
  parser.inline.ruler.before('link', 'footnote_mention', parseMention)
  parser.core.ruler.after('inline', 'footnotes', moveFootnotesToEnd)
  Object.assign(parser.renderer.rules, {
    footnote_mention: (tokens: Token[], index: number) => {
      const { number, mention } = tokens[index]?.meta ?? {}
      const link = `<a href="#${idPrefix}fn-${number}" id="${idOf(number, mention)}" data-footnote-ref="">${number}</a>`
      return `<sup class="footnote-ref">${link}</sup>`
    },
    footnote_return: (tokens: Token[], index: number) => {
      const { number, mention } = tokens[index]?.meta ?? {}
      const attributes = 'class="footnote-backref" data-footnote-backref="" aria-label="Back to content"'
      return ` <a href="#${idOf(number, mention)}" ${attributes}>↩</a>`
    },
    footnotes_open: () => '<section class="footnotes" data-footnotes="">\n<ol>\n',
    footnote_item_open: (tokens: Token[], index: number) => `<li id="${idPrefix}fn-${tokens[index]?.meta?.number}">\n`,
    footnote_item_close: () => '</li>\n',
    footnotes_close: () => '</ol>\n</section>\n',
  })
}
