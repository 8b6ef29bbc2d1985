import { raw, html as template } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'

/** HTML that needs no escaping. */
export type Html = HtmlEscapedString

/** Values in a template. Strings are escaped; `false`, `null` and `undefined` are omitted. */
export type HtmlValue = Html | string | number | boolean | null | undefined | readonly HtmlValue[]

/** A template whose values are escaped. Without promises among them, the result of the library is no promise either. */
export const html = (strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html =>
  template(strings, ...values) as Html

/** Marks sanitized HTML, which only the Markdown renderer returns, as safe. */
export const sanitizedHtml = (text: string): Html => raw(text)
