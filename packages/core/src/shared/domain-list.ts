import { domainToASCII } from 'node:url'
import { matchesWildcard } from './wildcard.ts'

/** Lower case and ASCII (Punycode): `München.de`, `xn--mnchen-3ya.de` and `münchen.de.` are the same domain. */
export const canonicalDomain = (domain: string) => {
  const plain = domain.trim().toLowerCase().replace(/\.$/, '')
  return domainToASCII(plain) || plain
}

/** Whether a domain matches one of the patterns; `*` matches any text, case is ignored. */
export const isDomainListed = (domain: string, domains: readonly string[]): boolean => {
  const plain = canonicalDomain(domain)
  return domains.some((pattern) => matchesWildcard(plain, canonicalDomain(pattern)))
}
