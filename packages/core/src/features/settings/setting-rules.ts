import type { Problem } from '../../kernel/errors.ts'
import { humanDuration } from '../../kernel/human-duration.ts'
import { clientCertificateProblems } from './client-certificate.ts'
import { type SettingName, type Settings, type SettingsChange, settingDefinition, settingNames } from './definition.ts'
import { forbiddenKey, keyRestrictionProblem, keyRestrictions } from './key-restriction.ts'
import { blank, duration, needed, rule, type SettingRule, webAddress, within } from './setting-rule.ts'
import { webAddressProblem } from './web-address.ts'

const shortestArchiving = 86_400

const rules: readonly SettingRule[] = [
  webAddress('afterSignOutPath'),
  webAddress('homePageUrl'),
  rule(['adminNotificationEmail'], 'adminNotificationEmail', ({ adminNotificationEmail: email }) =>
    email && !/^[^@\s]+@[^@\s]+$/.test(email) ? 'is invalid' : undefined,
  ),
  rule(['commitEmailHostname'], 'commitEmailHostname', ({ commitEmailHostname: host }) =>
    host?.includes('@') ? 'is invalid' : undefined,
  ),

  within('sessionExpireDelay', { from: 0 }),
  within('terminalMaxSessionTime', { from: 0 }),
  within('maxAttachmentSize', { above: 0 }),
  within('maxImportSize', { from: 0 }),
  within('containerRegistryTokenExpireDelay', { above: 0 }),
  within('pollingIntervalMultiplier', { from: 0 }),
  within('diffMaxPatchBytes', { from: 102_400, to: 512_000 }),
  within('defaultProjectsLimit', { from: 0 }),
  within('localMarkdownVersion', { from: 0, below: 65_536 }),
  within('issuesCreateLimit', { from: 0 }),
  within('rawBlobRequestLimit', { from: 0 }),
  within('deletionAdjournedPeriod', { from: 0, to: 90 }),
  within('geoStatusTimeout', { above: 0 }),
  within('searchengineIndexedFieldLengthLimit', { from: 0 }),
  within('searchengineMaxBulkConcurrency', { above: 0 }),
  within('searchengineMaxBulkSizeMb', { above: 0 }),

  needed('defaultArtifactsExpireIn'),
  duration('defaultArtifactsExpireIn'),
  duration('archiveBuildsInHumanReadable'),
  rule(['archiveBuildsInHumanReadable'], 'archiveBuildsInSeconds', ({ archiveBuildsInHumanReadable: age }) =>
    (humanDuration(age ?? '') ?? shortestArchiving) < shortestArchiving
      ? `must be greater than or equal to ${shortestArchiving}`
      : undefined,
  ),
  needed('repositoryStorages'),

  ...keyRestrictions.map((name) => rule([name], name, (next) => keyRestrictionProblem(name, next[name]))),
  rule(keyRestrictions, 'allowedKeyTypes', (next) =>
    keyRestrictions.every((name) => next[name] === forbiddenKey) ? "can't be blank" : undefined,
  ),

  rule(['enforceTerms', 'terms'], 'terms', ({ enforceTerms, terms }) =>
    enforceTerms && blank(terms) ? 'You need to set terms to be enforced' : undefined,
  ),
  rule(['domainBlacklistEnabled', 'domainBlacklist'], 'domainBlacklist', (next) =>
    next.domainBlacklistEnabled && blank(next.domainBlacklist)
      ? 'Domain blacklist cannot be empty if Blacklist is enabled.'
      : undefined,
  ),

  needed('spamfilterApiKey', 'spamfilterEnabled'),
  needed('assetProxyUrl', 'assetProxyEnabled'),
  webAddress('assetProxyUrl'),
  needed('diagramtoolUrl', 'diagramtoolEnabled'),
  webAddress('diagramtoolUrl'),
  rule(['searchengineUrl'], 'searchengineUrl', ({ searchengineUrl }) => {
    const reasons = (searchengineUrl ?? '')
      .split(',')
      .map((address) => !blank(address) && webAddressProblem(address.trim()))
    const reason = reasons.find((found) => typeof found === 'string')
    return reason ? `is blocked: ${reason}` : undefined
  }),

  needed('externalAuthorizationServiceDefaultLabel', 'externalAuthorizationServiceEnabled'),
  needed('externalAuthorizationServiceUrl', 'externalAuthorizationServiceEnabled'),
  webAddress('externalAuthorizationServiceUrl'),
  within('externalAuthorizationServiceTimeout', { above: 0, to: 10 }),
  {
    about: ['externalAuthClientCert', 'externalAuthClientKey', 'externalAuthClientKeyPass'],
    complaints({ externalAuthClientCert: certificate, externalAuthClientKey: key, externalAuthClientKeyPass: pass }) {
      if (!certificate || blank(certificate)) return []
      if (!key || blank(key)) return [['externalAuthClientKey', "can't be blank"]]
      const problems = clientCertificateProblems(certificate, key, pass)
      return [
        ...(problems.certificate ? [['externalAuthClientCert', problems.certificate] as const] : []),
        ...(problems.key ? [['externalAuthClientKey', problems.key] as const] : []),
      ]
    },
  },
]

/**
 * What is wrong with the settings as they would be after a change, as complaints by field; empty when nothing is.
 * `next` holds every value, the secret ones in clear. Only rules about what changes are asked, so an old value
 * that a newer rule would refuse does not stand in the way of other changes.
 */
export const settingProblems = (next: Settings, change: SettingsChange): Record<string, string[]> => {
  const given: Readonly<Record<string, unknown>> = change
  const changes = (name: SettingName) => Object.hasOwn(given, name) && given[name] !== undefined
  const problems: Record<string, string[]> = {}
  for (const { about, complaints } of rules) {
    if (!about.some(changes)) continue
    for (const [field, message] of complaints(next)) problems[field] = [...(problems[field] ?? []), message]
  }
  return problems
}

const switchedOn = (value: unknown) => value === true || (typeof value === 'string' && !blank(value))

/**
 * Settings that a change switches on without bringing what they require. Stored values do not count:
 * who switches something on says in the same request with what.
 */
export const missingCompanions = (change: SettingsChange): Problem[] => {
  const given: Readonly<Record<string, unknown>> = change
  const required = settingNames
    .filter((name) => Object.hasOwn(given, name) && switchedOn(given[name]))
    .flatMap((name) => settingDefinition(name).requires ?? [])
  return required
    .filter((name) => !Object.hasOwn(given, name) || given[name] === undefined)
    .map((name) => ({ fields: [name], message: 'is missing' }))
}
