/** One attribute as written: name in lower case, value still with its character references. */
export interface Attribute {
  readonly name: string
  readonly value: string
}

/** What a `<` begins. `end` is the offset of the first character behind it. */
type Markup =
  | { readonly kind: 'open'; readonly name: string; readonly attributes: readonly Attribute[]; readonly end: number }
  | { readonly kind: 'close'; readonly name: string; readonly end: number }
  /** A comment, a declaration, a processing instruction or a CDATA section. */
  | { readonly kind: 'silent'; readonly end: number }
  /** A `<` that begins nothing. */
  | { readonly kind: 'text' }
  /** A tag or comment that never ends; everything from here on is text. */
  | { readonly kind: 'unfinished' }

const text: Markup = { kind: 'text' }
const unfinished: Markup = { kind: 'unfinished' }
const none: readonly Attribute[] = []

const isLetter = (code: number) => (code | 32) >= 97 && (code | 32) <= 122
const isBlank = (code: number) => code === 32 || (code >= 9 && code <= 13 && code !== 11)
const slash = 47
const greater = 62
const equals = 61

const until = (html: string, terminator: string, from: number): Markup => {
  const end = html.indexOf(terminator, from)
  return end < 0 ? unfinished : { kind: 'silent', end: end + terminator.length }
}

const silentMarkup = (html: string, at: number): Markup => {
  if (html.startsWith('<!--', at)) {
    if (html.startsWith('>', at + 4)) return { kind: 'silent', end: at + 5 }
    if (html.startsWith('->', at + 4)) return { kind: 'silent', end: at + 6 }
    return until(html, '-->', at + 4)
  }
  if (html.startsWith('<![CDATA[', at)) return until(html, ']]>', at + 9)
  if (html.startsWith('<?', at)) return until(html, '?>', at + 2)
  return until(html, '>', at + 2)
}

/** Reads from behind a tag's name to behind its `>`, or answers -1 when there is none. */
const attributesInto = (found: Attribute[], html: string, from: number): number => {
  let at = from
  for (;;) {
    while (isBlank(html.charCodeAt(at)) || html.charCodeAt(at) === slash) at++
    if (at >= html.length) return -1
    if (html.charCodeAt(at) === greater) return at + 1
    const start = at++
    for (; at < html.length; at++) {
      const code = html.charCodeAt(at)
      if (isBlank(code) || code === slash || code === greater || code === equals) break
    }
    const name = html.slice(start, at).toLowerCase()
    while (isBlank(html.charCodeAt(at))) at++
    if (html.charCodeAt(at) !== equals) {
      found.push({ name, value: '' })
      continue
    }
    at++
    while (isBlank(html.charCodeAt(at))) at++
    const quote = html[at]
    if (quote === '"' || quote === "'") {
      const end = html.indexOf(quote, at + 1)
      if (end < 0) return -1
      found.push({ name, value: html.slice(at + 1, end) })
      at = end + 1
      continue
    }
    const begin = at
    for (; at < html.length; at++) {
      const code = html.charCodeAt(at)
      if (isBlank(code) || code === greater) break
    }
    found.push({ name, value: html.slice(begin, at) })
  }
}

/**
 * What stands at the `<` at offset `at`, with the rules of an HTML tokenizer (WHATWG HTML 13.2.5) for tags. Reads each
 * character a fixed number of times; a tag without an end reads to the end of the text, and its caller then stops.
 */
export const markupAt = (html: string, at: number): Markup => {
  const first = html.charCodeAt(at + 1)
  const closing = first === slash
  const start = closing ? at + 2 : at + 1
  if (!isLetter(html.charCodeAt(start))) {
    // '!' and '?'; a slash before anything but a letter also begins a comment that ends at the next '>'.
    return first === 33 || first === 63 || closing ? silentMarkup(html, at) : text
  }
  let cursor = start + 1
  for (; cursor < html.length; cursor++) {
    const code = html.charCodeAt(cursor)
    if (code === greater || code === slash || isBlank(code)) break
  }
  const name = html.slice(start, cursor).toLowerCase()
  if (html.charCodeAt(cursor) === greater) {
    return closing
      ? { kind: 'close', name, end: cursor + 1 }
      : { kind: 'open', name, attributes: none, end: cursor + 1 }
  }
  const attributes: Attribute[] = []
  const end = attributesInto(attributes, html, cursor)
  if (end < 0) return unfinished
  return closing ? { kind: 'close', name, end } : { kind: 'open', name, attributes, end }
}
