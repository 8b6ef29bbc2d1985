import { domainToASCII } from 'node:url'
import type { Settings } from './definition.ts'

/** Lower case and ASCII (Punycode): `München.de`, `xn--mnchen-3ya.de` and `münchen.de.` are the same domain. */
const canonicalDomain = (domain: string) => {
  const plain = domain.trim().toLowerCase().replace(/\.$/, '')
  return domainToASCII(plain) || plain
}

const emailDomain = (email: string): string | undefined => {
  const at = email.lastIndexOf('@')
  return at > 0 && at < email.length - 1 ? canonicalDomain(email.slice(at + 1)) : undefined
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

/** Whether the domain of an e-mail address matches one of the patterns. */
export const isEmailDomainListed = (email: string, domains: readonly string[]): boolean => {
  const domain = emailDomain(email)
  return domain !== undefined && isDomainListed(domain, domains)
}

/**
 * Why an e-mail address cannot sign up; undefined when it can. A non-empty allow list alone decides, so it can allow
 * single domains of a blocked range. The block list applies only while it is enabled.
 */
export const signUpEmailProblem = (
  email: string,
  settings: Pick<Settings, 'domainWhitelist' | 'domainBlacklist' | 'domainBlacklistEnabled'>,
): string | undefined => {
  const { domainWhitelist, domainBlacklist, domainBlacklistEnabled } = settings
  if (domainWhitelist?.length) {
    return isEmailDomainListed(email, domainWhitelist) ? undefined : 'domain is not authorized for sign-up'
  }
  return domainBlacklistEnabled && isEmailDomainListed(email, domainBlacklist)
    ? 'is not from an allowed domain.'
    : undefined
}
