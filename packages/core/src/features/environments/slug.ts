import { createHash } from 'node:crypto'

const longest = 24
const suffixLength = 6
const kept = longest - suffixLength - 1

/** Six letters and digits that the same text always gets: the end of its SHA-256 written in base 36. */
const suffixOf = (text: string): string =>
  BigInt(`0x${createHash('sha256').update(text).digest('hex')}`)
    .toString(36)
    .slice(-suffixLength)

const hyphenated = (name: string): string => {
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '-')
  return (/^[a-z]/.test(plain) ? plain : `env-${plain}`).replace(/-+/g, '-')
}

/**
 * The part of an environment's name that is safe in host names and labels: at most 24 characters, `a-z0-9-`, a letter first and no
 * hyphen last. A name that does not survive unchanged gets a suffix of its own, so `Production` and `production` stay apart.
 *
 * Slugs are unique in a project and outlive a rename, so the first choice may be taken: `attempt` 1, 2, … gives the next choices,
 * which always carry a suffix. The same name and attempt give the same slug.
 */
export const environmentSlug = (name: string, attempt = 0): string => {
  const slug = hyphenated(name)
  if (attempt === 0 && slug === name && slug.length <= longest) return slug.replace(/-$/, '')
  const head = slug.slice(0, kept)
  return `${head}${head.endsWith('-') ? '' : '-'}${suffixOf(attempt === 0 ? name : `${name}\n${attempt}`)}`
}
