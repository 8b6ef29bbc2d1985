import { compileNamePattern } from '../../../kernel/name-pattern.ts'
import { canonicalDomain, isDomainListed } from '../../../shared/domain-list.ts'
import type { Settings } from './definition.ts'

const emailDomain = (email: string): string | undefined => {
  const at = email.lastIndexOf('@')
  return at > 0 && at < email.length - 1 ? canonicalDomain(email.slice(at + 1)) : undefined
}

/** Whether the domain of an e-mail address matches one of the patterns. */
export const isEmailDomainListed = (email: string, domains: readonly string[]): boolean => {
  const domain = emailDomain(email)
  return domain !== undefined && isDomainListed(domain, domains)
}

const isRestricted = (email: string, pattern: string | null): boolean => {
  const result = compileNamePattern(pattern ?? '')
  return !!pattern && 'pattern' in result && result.pattern.matchesPart(email)
}

/**
 * Why an e-mail address cannot sign up; undefined when it can. A non-empty allow list alone decides, so it can allow
 * single domains of a blocked range. The block list applies only while it is enabled.
 */
export const signUpEmailProblem = (
  email: string,
  settings: Pick<
    Settings,
    'domainWhitelist' | 'domainBlacklist' | 'domainBlacklistEnabled' | 'emailRestrictions' | 'emailRestrictionsEnabled'
  >,
): string | undefined => {
  const { domainWhitelist, domainBlacklist, domainBlacklistEnabled } = settings
  if (settings.emailRestrictionsEnabled && isRestricted(email, settings.emailRestrictions))
    return 'is not allowed for sign-up.'
  if (domainWhitelist?.length) {
    return isEmailDomainListed(email, domainWhitelist) ? undefined : 'domain is not authorized for sign-up'
  }
  return domainBlacklistEnabled && isEmailDomainListed(email, domainBlacklist)
    ? 'is not from an allowed domain.'
    : undefined
}
