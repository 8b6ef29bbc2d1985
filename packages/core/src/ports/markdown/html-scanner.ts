import { htmlTokenizer } from './libraries.ts'

/** Receives the parts of an HTML text in order. Comments, declarations and processing instructions are dropped. */
export interface HtmlHandler {
  /** `html` is unchanged except that `<` is escaped: character references stay as written. */
  text(html: string): void
  /** Names are in lower case, values without character references; of repeated attributes the first one counts. */
  openTag(name: string, attributes: ReadonlyMap<string, string>): void
  closeTag(name: string): void
}

/**
 * Splits HTML into text and tags as a browser's tokenizer does (WHATWG HTML 13.2.5). An unfinished tag or comment at
 * the end is text. Linear in the length of the text.
 */
export const scanHtml = (html: string, handler: HtmlHandler): void => {
  const text = (start: number, end: number) => handler.text(html.slice(start, end).replaceAll('<', '&lt;'))
  if (!html.includes('<')) {
    text(0, html.length)
    return
  }
  let finished = 0
  let tag = ''
  let attributes = new Map<string, string>()
  let attribute = ''
  let value = ''

  const finishMarkup = (end: number) => {
    const close = html.indexOf('>', end)
    if (close >= 0) finished = close + 1
  }
  const finishTag = (end: number) => {
    handler.openTag(tag, attributes)
    finishMarkup(end)
  }
  const drop = (_start: number, end: number) => finishMarkup(end)

  const tokenizer = htmlTokenizer({
    ontext(start, end) {
      // The tokenizer reports a tag that ends behind a `/` as text without an offset.
      if (start < 0) return
      text(start, end)
      finished = end
    },
    ontextentity(_codePoint, end) {
      text(html.lastIndexOf('&', end - 1), end)
      finished = end
    },
    onopentagname(start, end) {
      tag = html.slice(start, end).toLowerCase()
      attributes = new Map()
    },
    onattribname(start, end) {
      attribute = html.slice(start, end).toLowerCase()
      value = ''
    },
    onattribdata(start, end) {
      value += html.slice(start, end)
    },
    onattribentity(codePoint) {
      value += String.fromCodePoint(codePoint)
    },
    onattribend() {
      if (!attributes.has(attribute)) attributes.set(attribute, value)
    },
    onopentagend: finishTag,
    onselfclosingtag: finishTag,
    onclosetag(start, end) {
      handler.closeTag(html.slice(start, end).toLowerCase())
      finishMarkup(end)
    },
    oncdata: drop,
    oncomment: drop,
    ondeclaration: drop,
    onprocessinginstruction: drop,
    onend() {
      text(finished, html.length)
    },
  })
  tokenizer.write(html)
  tokenizer.end()
}
