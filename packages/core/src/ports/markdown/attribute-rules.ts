/** What a value becomes in the output, or undefined when the attribute is left out. `value` is free of references. */
export type AttributeRule = (value: string, place: Place) => string | undefined

/** Where the text will be shown. */
export interface Place {
  /** Absolute URL that relative links are resolved against. */
  readonly relativeTo?: string
  readonly images?: Images
}

/** Where images are really fetched from. */
export interface Images {
  /** Differs where the addresses do: what was rendered is kept by it. Without line breaks. */
  readonly id: string
  /** The address for an image whose own one is given, absolute or relative. */
  address(written: string): string
}

/** In front of every `id` and `name`, so that a text cannot shadow what the page around it calls by those names. */
export const idPrefix = 'user-content-'

/** The name of an attribute that only scripts of the page read. */
export const isDataName = (name: string): boolean => /^data-[a-z][a-z0-9-]{0,63}$/.test(name)

export const anyText: AttributeRule = (value) => value

export const flag: AttributeRule = () => ''

export const prefixed: AttributeRule = (value) => {
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

/** The part of a URL that may hold a scheme, without what a browser skips when it looks for one. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: browsers skip exactly these
const skipped = /^[\u0000-\u0020]+|[\u0000-\u0020]+$|[\t\n\r]+/g

const absolute = (url: string, base: string): string => {
  if (url.startsWith('#')) return url
  return URL.canParse(url, base) ? new URL(url, base).href : url
}

/**
 * A URL with one of the schemes, or a relative one. What stands before the first of `:`, `/`, `?`, `#` counts as a
 * scheme when a colon ends it, however odd it looks; so nothing a browser could take for a script passes.
 */
export const url = (...schemes: readonly string[]): AttributeRule => {
  const known = new Set(schemes)
  return (value, { relativeTo }) => {
    const trimmed = value.replace(skipped, '')
    const end = trimmed.search(/[:/?#]/)
    if (end >= 0 && trimmed[end] === ':') {
      return known.has(trimmed.slice(0, end).toLowerCase()) ? trimmed : undefined
    }
    return relativeTo === undefined ? trimmed : absolute(trimmed, relativeTo)
  }
}

/** The address of an image, as the place wants it. */
export const imageUrl: AttributeRule = (value, place) => {
  const kept = webUrl(value, place)
  return kept === undefined || place.images === undefined ? kept : place.images.address(kept)
}

const webUrl = url('http', 'https')
