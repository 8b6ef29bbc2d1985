import { isIP } from 'node:net'

const maxNameLength = 255
const maxLabelLength = 63

const label = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/

/** The form in which domain names are compared: names that differ only in case are the same domain. */
export const domainKey = (name: string): string => name.toLowerCase()

const isWithin = (name: string, host: string) => name === host || name.endsWith(`.${host}`)

/**
 * Why a text is not a valid Pages domain; `undefined` if it is. Host names of RFC 1123 section 2.1 are valid; IP
 * addresses in any notation (`127.1`), `localhost`, wildcards, ports, paths and a trailing dot are not. Internationalized names must be in ASCII form (`xn--…`). `pagesHost`, the
 * host of projects without a domain, and its subdomains are reserved.
 * The message continues a sentence that begins with the field's name: `domain is too long (maximum is 255 characters)`.
 */
export const domainNameProblem = (name: string, pagesHost?: string): string | undefined => {
  if (name.trim() === '') return "can't be blank"
  if (name.length > maxNameLength) return `is too long (maximum is ${maxNameLength} characters)`
  const plain = domainKey(name)
  if (plain.includes('*')) return 'must not contain a wildcard'
  // biome-ignore lint/suspicious/noControlCharactersInRegex: matches everything outside ASCII
  if (/[^\x00-\x7f]/.test(plain)) return 'must be written in ASCII (xn--...)'
  const labels = plain.split('.')
  if (labels.some((part) => part.length > maxLabelLength || !label.test(part))) return 'is not a valid host name'
  if (isWithin(plain, 'localhost')) return 'must not be localhost'
  // The URL parser recognizes the short and numeric notations of IPv4 addresses, which clients resolve as addresses.
  if (isIP(URL.parse(`http://${plain}`)?.hostname ?? '')) return 'must not be an IP address'
  const host = pagesHost === undefined ? '' : domainKey(pagesHost)
  return host !== '' && isWithin(plain, host) ? `*.${host} is restricted` : undefined
}
