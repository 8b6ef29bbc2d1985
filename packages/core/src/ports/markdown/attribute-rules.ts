/** Returns the value to write, or undefined to remove the attribute. `value` has no character references. */
export type AttributeRule = (value: string, place: Place) => string | undefined

/** How URLs of a text are rewritten. */
export interface Place {
  /** Absolute URL that relative links are resolved against. */
  readonly relativeTo?: string
  /** Returns the URL to write for an image, for example that of a proxy. The given one is absolute or relative. */
  readonly rewriteImage?: (url: string) => string
}

/** Prefix of every `id` and `name`, so that a text cannot shadow elements and globals of the page. */
export const idPrefix = 'user-content-'

/** Whether the name is that of a `data-` attribute. */
export const isDataAttribute = (name: string): boolean => /^data-[a-z][a-z0-9-]{0,63}$/.test(name)

export const anyText: AttributeRule = (value) => value

export const booleanAttribute: AttributeRule = () => ''

export const prefixedId: AttributeRule = (value) => {
  if (value === '') return undefined
  return value.startsWith(idPrefix) ? value : idPrefix + value
}

export const matching =
  (pattern: RegExp): AttributeRule =>
  (value) =>
    pattern.test(value) ? value : undefined

export const oneOf = (...values: readonly string[]): AttributeRule => {
  const known = new Set(values)
  return (value) => {
    const lower = value.toLowerCase()
    return known.has(lower) ? lower : undefined
  }
}

/** Characters that browsers ignore when they parse the scheme of a URL. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: browsers skip exactly these
const ignoredCharacters = /^[\u0000-\u0020]+|[\u0000-\u0020]+$|[\t\n\r]+/g

const resolveUrl = (url: string, base: string): string => {
  if (url.startsWith('#')) return url
  return URL.canParse(url, base) ? new URL(url, base).href : url
}

/**
 * A URL with one of the schemes, or a relative one. Characters before a colon count as a scheme unless a `/`, `?` or
 * `#` precedes the colon, even if they are not valid in a scheme. This rejects every URL that a browser could run as a
 * script.
 */
const url = (...schemes: readonly string[]): AttributeRule => {
  const known = new Set(schemes)
  return (value, { relativeTo }) => {
    const trimmed = value.replace(ignoredCharacters, '')
    const end = trimmed.search(/[:/?#]/)
    if (end >= 0 && trimmed[end] === ':') {
      return known.has(trimmed.slice(0, end).toLowerCase()) ? trimmed : undefined
    }
    return relativeTo === undefined ? trimmed : resolveUrl(trimmed, relativeTo)
  }
}

/** Schemes that can run scripts, or show content that the author wrote as a page of the site or of the reader's machine. */
const unsafeSchemes = new Set(
  'blob data file filesystem jar javascript livescript mocha vbscript view-source'.split(' '),
)

/** A URL with any scheme except unsafe ones, or a relative one. */
export const linkUrl: AttributeRule = (value, place) => {
  const scheme = /^[a-z][a-z0-9+.-]*(?=:)/i.exec(value.replace(ignoredCharacters, ''))?.[0].toLowerCase()
  if (scheme === undefined) return relativeUrl(value, place)
  return unsafeSchemes.has(scheme) ? undefined : value.replace(ignoredCharacters, '')
}

/** The URL of an image, rewritten by `Place.rewriteImage`. */
export const imageUrl: AttributeRule = (value, place) => {
  const kept = webUrl(value, place)
  return kept === undefined || place.rewriteImage === undefined ? kept : place.rewriteImage(kept)
}

const webUrl = url('http', 'https')
const relativeUrl = url()
