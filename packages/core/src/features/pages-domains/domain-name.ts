const longestName = 255
const longestLabel = 63

const label = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/

/** The form in which names of domains are compared: two names that differ in case only are one domain. */
export const domainKey = (name: string): string => name.toLowerCase()

const within = (name: string, host: string) => name === host || name.endsWith(`.${host}`)

/**
 * Why a text cannot be the domain of pages; `undefined` when it can. Host names of RFC 1123 section 2.1 are accepted, all-numeric ones
 * included; wildcards, ports, paths and a dot at the end are not. Names with other letters are given in their ASCII form (`xn--…`).
 * `pagesHost` is where the platform serves pages itself: it and everything below it is taken.
 * Continues the sentence that begins with the field's name: `domain is too long (maximum is 255 characters)`.
 */
export const domainNameComplaint = (name: string, pagesHost?: string): string | undefined => {
  if (name.trim() === '') return "can't be blank"
  if (name.length > longestName) return `is too long (maximum is ${longestName} characters)`
  const plain = domainKey(name)
  if (plain.includes('*')) return 'must not contain a wildcard'
  // biome-ignore lint/suspicious/noControlCharactersInRegex: everything outside ASCII is what is looked for
  if (/[^\x00-\x7f]/.test(plain)) return 'must be written in ASCII (xn--...)'
  const labels = plain.split('.')
  if (labels.some((part) => part.length > longestLabel || !label.test(part))) return 'is not a valid host name'
  const host = pagesHost === undefined ? '' : domainKey(pagesHost)
  return host !== '' && within(plain, host) ? `*.${host} is restricted` : undefined
}
