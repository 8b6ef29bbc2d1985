import { domainToASCII } from 'node:url'

/** Lower case and ASCII (Punycode): `München.de`, `xn--mnchen-3ya.de` and `münchen.de.` are the same domain. */
export const canonicalDomain = (domain: string) => {
  const plain = domain.trim().toLowerCase().replace(/\.$/, '')
  return domainToASCII(plain) || plain
}

/** `*` in the pattern matches any text, also the empty one. Runs in linear time, without backtracking. */
const matchesPattern = (domain: string, pattern: string): boolean => {
  const [start = '', ...rest] = pattern.split('*')
  const end = rest.pop()
  if (end === undefined) return domain === start
  if (!domain.startsWith(start) || domain.length < start.length + end.length) return false
  let position = start.length
  for (const part of rest) {
    const index = domain.indexOf(part, position)
    if (index === -1) return false
    position = index + part.length
  }
  return position <= domain.length - end.length && domain.endsWith(end)
}

/** Whether a domain matches one of the patterns; `*` matches any text, case is ignored. */
export const isDomainListed = (domain: string, domains: readonly string[]): boolean => {
  const plain = canonicalDomain(domain)
  return domains.some((pattern) => matchesPattern(plain, canonicalDomain(pattern)))
}
