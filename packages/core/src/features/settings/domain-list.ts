import { domainToASCII } from 'node:url'
import type { Settings } from './definition.ts'

/** Lower case and ASCII, so that `München.de`, `xn--mnchen-3ya.de` and `münchen.de.` are one domain. */
const canonical = (domain: string) => {
  const plain = domain.trim().toLowerCase().replace(/\.$/, '')
  return domainToASCII(plain) || plain
}

const domainOf = (email: string): string | undefined => {
  const at = email.lastIndexOf('@')
  return at > 0 && at < email.length - 1 ? canonical(email.slice(at + 1)) : undefined
}

/** Whether a domain fits a pattern, in which each `*` stands for any text, also none. Never goes back, so linear. */
const matches = (domain: string, pattern: string): boolean => {
  const [start = '', ...rest] = pattern.split('*')
  const end = rest.pop()
  if (end === undefined) return domain === start
  if (!domain.startsWith(start) || domain.length < start.length + end.length) return false
  let position = start.length
  for (const part of rest) {
    const found = domain.indexOf(part, position)
    if (found === -1) return false
    position = found + part.length
  }
  return position <= domain.length - end.length && domain.endsWith(end)
}

/** Whether a domain is one of these; `*` stands for any text, case does not matter. */
export const domainIn = (domain: string, domains: readonly string[]): boolean => {
  const plain = canonical(domain)
  return domains.some((pattern) => matches(plain, canonical(pattern)))
}

/** Whether the address belongs to one of the domains. */
export const emailInDomains = (email: string, domains: readonly string[]): boolean => {
  const domain = domainOf(email)
  return domain !== undefined && domainIn(domain, domains)
}

/**
 * Why an e-mail address may not be used to sign up, undefined when it may.
 * A white list decides alone, so it can admit single domains out of a refused range;
 * without one the black list counts if it is in force.
 */
export const signUpEmailProblem = (
  email: string,
  settings: Pick<Settings, 'domainWhitelist' | 'domainBlacklist' | 'domainBlacklistEnabled'>,
): string | undefined => {
  const { domainWhitelist, domainBlacklist, domainBlacklistEnabled } = settings
  if (domainWhitelist?.length) {
    return emailInDomains(email, domainWhitelist) ? undefined : 'domain is not authorized for sign-up'
  }
  return domainBlacklistEnabled && emailInDomains(email, domainBlacklist) ? 'is not from an allowed domain.' : undefined
}
