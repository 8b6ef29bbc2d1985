import { isDataAttribute } from './attribute-rules.ts'
import { escapeHtml } from './escape-html.ts'
import type { Reference, Resolved } from './reference.ts'
import type { UrlReference } from './reference-url.ts'

/** A reference and its text as written. */
export interface WrittenReference {
  readonly reference: Reference
  /** The text as written: `#1`, or the whole URL. */
  readonly text: string
  /** Set when the reference was written as a URL. */
  readonly url?: UrlReference
}

const isColor = (text: string | undefined) => text !== undefined && /^#(?:[0-9A-Fa-f]{3}){1,2}$/.test(text)

const attribute = (name: string, value: string) => ` ${name}="${escapeHtml(value)}"`

const classOf = ({ kind }: Reference) => (kind === 'user' ? 'project_member' : kind)

/** Anchors of comments are shown with their number; other anchors are not shown. */
const noteOf = (url: UrlReference | undefined): string => {
  const note = /^#note_(\d+)$/.exec(url?.anchor ?? '')?.[1]
  return note === undefined ? '' : ` (comment ${note})`
}

const colored = (text: string, { color, textColor }: Resolved): string => {
  if (color === undefined || !isColor(color)) return text
  const style = isColor(textColor) ? `background-color: ${color}; color: ${textColor}` : `background-color: ${color}`
  return `<span class="gl-label-text" style="${style}">${text}</span>`
}

/** A reference to an object that is missing or that the current user may not see stays as written. */
const unresolvedMarkup = ({ text, url }: WrittenReference): string =>
  url ? `<a${attribute('href', text)}>${escapeHtml(text)}</a>` : escapeHtml(text)

/** The HTML link of a reference. */
export const referenceMarkup = (written: WrittenReference, resolved: Resolved | undefined): string => {
  if (resolved === undefined) return unresolvedMarkup(written)
  const { reference, text, url } = written
  const shown = (resolved.text ?? url?.short ?? text) + noteOf(url)
  const data = Object.entries(resolved.attributes ?? {}).filter(([name]) => isDataAttribute(name))
  const attributes = [
    attribute('href', resolved.url + (url?.anchor ?? '')),
    attribute('title', resolved.title),
    attribute('class', `gfm gfm-${classOf(reference)}`),
    attribute('data-reference-type', reference.kind),
    attribute('data-original', text),
    ...data.map(([name, value]) => attribute(name, value)),
  ]
  return `<a${attributes.join('')}>${colored(escapeHtml(shown), resolved)}</a>`
}
