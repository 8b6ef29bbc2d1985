import { compileNamePattern } from '../../../kernel/name-pattern.ts'
import type { Settings } from '../../administration/settings/definition.ts'

interface GivenFlags {
  readonly email: string
  readonly admin?: boolean | undefined
  readonly bot?: boolean | undefined
  readonly external?: boolean | undefined
  readonly privateProfile?: boolean | undefined
}

const isInternalAddress = (email: string, pattern: string | null): boolean => {
  const result = compileNamePattern(pattern ?? '')
  return pattern !== null && pattern.trim() !== '' && 'pattern' in result && result.pattern.matchesPart(email)
}

/** What the settings decide about a new user, unless it is given. */
export const toInitialFlags = (given: GivenFlags, settings: Settings) => {
  const { admin = false, bot = false, email } = given
  const isExternal =
    settings.userDefaultExternal && !admin && !bot && !isInternalAddress(email, settings.userDefaultInternalRegex)
  return {
    admin,
    bot,
    external: given.external ?? isExternal,
    privateProfile: given.privateProfile ?? (!bot && settings.userDefaultsToPrivateProfile),
    mustAcceptTerms: settings.enforceTerms && !bot,
    // The personal projects of a bot would end with its token.
    projectsLimit: bot ? 0 : settings.defaultProjectsLimit,
    canCreateGroup: !bot && settings.canCreateGroup,
  }
}
