import type { MarkdownIt, StateCore, StateInline, Token } from 'markdown-it'
import { splitEmails } from './email-address.ts'
import { webAddressEnd } from './web-address.ts'

/** Marks the links made here, so that others can tell them from links an author wrote out. */
export const bareAddress = 'address'

const schemes = ['http', 'https', 'ftp']
const colon = 58
const slash = 47

const pushLink = (state: StateInline, text: string, href: string): boolean => {
  if (!state.md.validateLink(href)) return false
  const open = state.push('link_open', 'a', 1)
  open.attrs = [['href', state.md.normalizeLink(href)]]
  open.markup = bareAddress
  state.push('text', '', 0).content = text
  state.push('link_close', 'a', -1).markup = bareAddress
  return true
}

const mayBegin = (before: string | undefined) => before === undefined || /[\s*_~(]/.test(before)

const wwwLink = (state: StateInline, silent: boolean): boolean => {
  const { src, pos: from, posMax: limit } = state
  if (silent || state.linkLevel > 0 || !src.startsWith('www.', from) || !mayBegin(src[from - 1])) return false
  const end = webAddressEnd(src, { from, domain: from, limit }, { short: false })
  if (end < 0) return false
  const text = src.slice(from, end)
  if (!pushLink(state, text, `http://${text}`)) return false
  state.pos = end
  return true
}

/** At the colon: what stands before it was read as text already and is taken back from there. */
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
  const end = webAddressEnd(src, { from, domain: pos + 3, limit }, { short: true })
  // The text so far is looked at last: each look costs as much as it is long.
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

/** As the library's rule for runs of plain text, but it also stops where `www.` may begin. */
const plainText = (state: StateInline, silent: boolean): boolean => {
  const { src, pos: from, posMax: limit } = state
  let end = from
  for (; end < limit; end++) {
    const code = src.charCodeAt(end)
    if (stops.has(code)) break
    if (code === w && end > from && src.startsWith('www.', end) && mayBegin(src[end - 1])) break
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
      // Behind an escaped character stands only a part of what looks like an address.
      const isPart = siblings[index - 1]?.type === 'text_special' && /^[A-Za-z0-9._+-]/.test(token.content)
      const isFree = token.type === 'text' && links <= 0 && !isPart
      return isFree && token.content.includes('@') ? emailTokens(state, token) : token
    })
  }
}

const emailTokens = (state: StateCore, { content }: Token): Token[] =>
  splitEmails(content).flatMap(({ text, email }) => {
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
