import type { MarkdownIt, StateCore, StateInline, Token } from 'markdown-it'
import { bareUrlEnd } from './bare-url.ts'

/** A part of a text: an e-mail address or other text. */
interface EmailPiece {
  readonly text: string
  readonly email: boolean
}

const isLocal = (character: string | undefined) => character !== undefined && /[A-Za-z0-9._+-]/.test(character)
const domain = /[A-Za-z0-9._-]+/y

/** End of the domain that starts at `from`, or -1: no empty segment, a period inside, no `-` or `_` at the end. */
const domainEnd = (text: string, from: number): number => {
  domain.lastIndex = from
  const run = (domain.exec(text)?.[0] ?? '').replace(/\.+$/, '')
  const segments = run.split('.')
  if (segments.length < 2 || segments.includes('') || /[-_]$/.test(run)) return -1
  return from + run.length
}

/** Splits a text into e-mail addresses and other text (GFM 6.9, extended email autolink). */
const splitAtEmails = (text: string): EmailPiece[] => {
  const pieces: EmailPiece[] = []
  let done = 0
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    let start = at
    while (start > done && isLocal(text[start - 1])) start--
    const end = start === at ? -1 : domainEnd(text, at + 1)
    if (end < 0) continue
    if (start > done) pieces.push({ text: text.slice(done, start), email: false })
    pieces.push({ text: text.slice(start, end), email: true })
    done = end
  }
  if (done < text.length) pieces.push({ text: text.slice(done), email: false })
  return pieces
}

/** `markup` of links that are created here, as opposed to links in Markdown syntax. */
export const bareUrlMarkup = 'address'

const schemes = ['http', 'https', 'ftp']
const colon = 58
const slash = 47

const pushLink = (state: StateInline, text: string, href: string): boolean => {
  if (!state.md.validateLink(href)) return false
  const open = state.push('link_open', 'a', 1)
  open.attrs = [['href', state.md.normalizeLink(href)]]
  open.markup = bareUrlMarkup
  state.push('text', '', 0).content = text
  state.push('link_close', 'a', -1).markup = bareUrlMarkup
  return true
}

const canPrecedeUrl = (before: string | undefined) => before === undefined || /[\s*_~(]/.test(before)

const wwwLink = (state: StateInline, silent: boolean): boolean => {
  const { src, pos: from, posMax: limit } = state
  if (silent || state.linkLevel > 0 || !src.startsWith('www.', from) || !canPrecedeUrl(src[from - 1])) return false
  const end = bareUrlEnd(src, { from, domain: from, limit }, { short: false })
  if (end < 0) return false
  const text = src.slice(from, end)
  if (!pushLink(state, text, `http://${text}`)) return false
  state.pos = end
  return true
}

/** Runs at the colon: the scheme is already in the pending text and is removed from it. */
const schemeLink = (state: StateInline, silent: boolean): boolean => {
  const { src, pos, posMax: limit } = state
  if (src.charCodeAt(pos) !== colon || src.charCodeAt(pos + 1) !== slash || src.charCodeAt(pos + 2) !== slash) {
    return false
  }
  if (silent || state.linkLevel > 0) return false
  let from = pos
  while (from > 0 && pos - from < 6 && /[A-Za-z]/.test(src[from - 1] ?? '')) from--
  const scheme = src.slice(from, pos)
  if (!schemes.includes(scheme.toLowerCase())) return false
  const end = bareUrlEnd(src, { from, domain: pos + 3, limit }, { short: true })
  // Checked last: `endsWith` flattens the pending text, which costs its length.
  if (end < 0 || !state.pending.endsWith(scheme)) return false
  const pending = state.pending
  state.pending = pending.slice(0, -scheme.length)
  const text = src.slice(from, end)
  if (!pushLink(state, text, text)) {
    state.pending = pending
    return false
  }
  state.pos = end
  return true
}

/** Characters at which another rule may begin. */
const stops = new Set([...'\n!#$%&*+-:<=>@[\\]^_`{}~'].map((character) => character.charCodeAt(0)))
const w = 119

/** Like the text rule of markdown-it, but it also stops before `www.`. */
const plainText = (state: StateInline, silent: boolean): boolean => {
  const { src, pos: from, posMax: limit } = state
  let end = from
  for (; end < limit; end++) {
    const code = src.charCodeAt(end)
    if (stops.has(code)) break
    if (code === w && end > from && src.startsWith('www.', end) && canPrecedeUrl(src[end - 1])) break
  }
  if (end === from) return false
  if (!silent) state.pending += src.slice(from, end)
  state.pos = end
  return true
}

const linkEmails = (state: StateCore): void => {
  for (const block of state.tokens) {
    if (block.type !== 'inline' || !block.children || !block.content.includes('@')) continue
    let links = 0
    block.children = block.children.flatMap((token, index, siblings): Token | Token[] => {
      if (token.type === 'link_open' || /^<a[\s>]/i.test(token.content)) links++
      else if (token.type === 'link_close' || /^<\/a[\s>]/i.test(token.content)) links--
      // After an escaped character, the text is only the rest of an address.
      const isPart = siblings[index - 1]?.type === 'text_special' && /^[A-Za-z0-9._+-]/.test(token.content)
      const isFree = token.type === 'text' && links <= 0 && !isPart
      return isFree && token.content.includes('@') ? emailTokens(state, token) : token
    })
  }
}

const emailTokens = (state: StateCore, { content }: Token): Token[] =>
  splitAtEmails(content).flatMap(({ text, email }) => {
    const token = new state.Token('text', '', 0)
    token.content = text
    if (!email) return [token]
    const open = new state.Token('link_open', 'a', 1)
    open.attrs = [['href', `mailto:${text}`]]
    return [open, token, new state.Token('link_close', 'a', -1)]
  })

/** Web and e-mail addresses in plain text become links (GFM 6.9). */
export const withAutolinks = (parser: MarkdownIt): void => {
  parser.inline.ruler.at('text', plainText)
  parser.inline.ruler.before('text', 'www_link', wwwLink)
  parser.inline.ruler.before('newline', 'scheme_link', schemeLink)
  parser.core.ruler.before('text_join', 'email_links', linkEmails)
}
