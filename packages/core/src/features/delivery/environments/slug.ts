import { createHash } from 'node:crypto'

const maxLength = 24
const suffixLength = 6
const headLength = maxLength - suffixLength - 1

/** The last six digits of the text's SHA-256 in base 36. */
const computeSuffix = (text: string): string =>
  BigInt(`0x${createHash('sha256').update(text).digest('hex')}`)
    .toString(36)
    .slice(-suffixLength)

const hyphenate = (name: string): string => {
  const text = name.toLowerCase().replace(/[^a-z0-9]/g, '-')
  return (/^[a-z]/.test(text) ? text : `env-${text}`).replace(/-+/g, '-')
}

/**
 * Generates a slug that is safe in host names and labels: at most 24 characters of `a-z0-9-`, beginning with a letter and not
 * ending with a hyphen. A name that is not a valid slug gets a hash suffix, so `Production` and `production` differ.
 *
 * Slugs are unique within a project and survive a rename, so the first slug may be in use: `attempt` 1, 2, … returns further
 * slugs, always with a suffix. The same name and attempt return the same slug.
 */
export const toEnvironmentSlug = (name: string, attempt = 0): string => {
  const slug = hyphenate(name)
  if (attempt === 0 && slug === name && slug.length <= maxLength) return slug.replace(/-$/, '')
  const head = slug.slice(0, headLength)
  return `${head}${head.endsWith('-') ? '' : '-'}${computeSuffix(attempt === 0 ? name : `${name}\n${attempt}`)}`
}
