import { isNewReferenceName } from '../../../ports/git-binary/reference-name.ts'
import { parseHumanDuration } from '../../../shared/human-duration.ts'
import { keysOf } from '../../../shared/keys-of.ts'
import { findClientCertificateProblems } from './client-certificate.ts'
import type { Settings, SettingsChange } from './definition.ts'
import {
  createRule,
  inRange,
  isBlank,
  requiredValue,
  type SettingRule,
  validDuration,
  validPattern,
  validWebUrl,
} from './rule-builders.ts'
import { webUrlProblem } from './web-url.ts'

/** Allowed minimum key sizes in bits for each type of SSH key. */
const allowedSizes = {
  rsaKeyRestriction: [1024, 2048, 3072, 4096],
  dsaKeyRestriction: [1024, 2048, 3072],
  ecdsaKeyRestriction: [256, 384, 521],
  ed25519KeyRestriction: [256],
} as const

type KeyRestriction = keyof typeof allowedSizes

const keyRestrictions = keysOf(allowedSizes)

/** The value that forbids a key type; 0 allows every key size. */
const forbiddenKey = -1

const joinAlternatives = (values: readonly number[]) => {
  const words = values.map(String)
  if (words.length < 3) return words.join(' or ')
  return `${words.slice(0, -1).join(', ')}, or ${words.at(-1)}`
}

/** Why a restriction is invalid; undefined when it is valid. */
const keyRestrictionProblem = (name: KeyRestriction, value: number): string | undefined => {
  const allowed: readonly number[] = [0, forbiddenKey, ...allowedSizes[name]]
  if (allowed.includes(value)) return undefined
  return `must be forbidden, allowed, or one of these sizes: ${joinAlternatives(allowedSizes[name])}`
}

const minArchiveAgeSeconds = 86_400

const rules: readonly SettingRule[] = [
  validWebUrl('afterSignOutPath'),
  validWebUrl('homePageUrl'),
  createRule(['adminNotificationEmail'], 'adminNotificationEmail', ({ adminNotificationEmail: email }) =>
    email && !/^[^@\s]+@[^@\s]+$/.test(email) ? 'is invalid' : undefined,
  ),
  createRule(['commitEmailHostname'], 'commitEmailHostname', ({ commitEmailHostname: host }) =>
    host?.includes('@') ? 'is invalid' : undefined,
  ),

  inRange('minimumPasswordLength', { from: 8, to: 128 }),
  inRange('deactivateDormantUsersPeriod', { from: 90 }),
  validPattern('emailRestrictions'),
  validPattern('userDefaultInternalRegex'),
  requiredValue('emailRestrictions', 'emailRestrictionsEnabled'),
  ...(['defaultProjectVisibility', 'defaultGroupVisibility'] as const).map((name) =>
    createRule(['restrictedVisibilityLevels', name], 'restrictedVisibilityLevels', (next) =>
      next.restrictedVisibilityLevels.includes(next[name])
        ? `cannot contain the ${name === 'defaultProjectVisibility' ? 'default_project_visibility' : 'default_group_visibility'}`
        : undefined,
    ),
  ),
  createRule(['defaultBranchName'], 'defaultBranchName', ({ defaultBranchName: name }) =>
    !name || isNewReferenceName(name) ? undefined : 'is not a valid branch name',
  ),
  inRange('sessionExpireDelay', { from: 0 }),
  inRange('terminalMaxSessionTime', { from: 0 }),
  inRange('maxAttachmentSize', { above: 0 }),
  inRange('maxImportSize', { from: 0 }),
  inRange('receiveMaxInputSize', { from: 0 }),
  inRange('maxPackageFileSize', { from: 0 }),
  inRange('maxPackagesSize', { from: 0 }),
  inRange('containerRegistryTokenExpireDelay', { above: 0 }),
  inRange('pollingIntervalMultiplier', { from: 0 }),
  inRange('diffMaxPatchBytes', { from: 102_400, to: 512_000 }),
  inRange('defaultProjectsLimit', { from: 0 }),
  inRange('localMarkdownVersion', { from: 0, below: 65_536 }),
  inRange('issuesCreateLimit', { from: 0 }),
  inRange('rawBlobRequestLimit', { from: 0 }),
  inRange('notesCreateLimit', { from: 0 }),
  inRange('searchRateLimit', { from: 0 }),
  inRange('snippetSizeLimit', { above: 0 }),
  inRange('wikiPageMaxContentBytes', { from: 1_024 }),
  inRange('maxArtifactsSize', { above: 0 }),
  createRule(['maxPersonalAccessTokenLifetime'], 'maxPersonalAccessTokenLifetime', (next) => {
    const days = next.maxPersonalAccessTokenLifetime
    return days === null || (days >= 1 && days <= 365) ? undefined : 'must be between 1 and 365'
  }),
  inRange('deletionAdjournedPeriod', { from: 0, to: 90 }),
  inRange('geoStatusTimeout', { above: 0 }),
  inRange('searchengineIndexedFieldLengthLimit', { from: 0 }),
  inRange('searchengineMaxBulkConcurrency', { above: 0 }),
  inRange('searchengineMaxBulkSizeMb', { above: 0 }),

  requiredValue('defaultArtifactsExpireIn'),
  validDuration('defaultArtifactsExpireIn'),
  validDuration('archiveBuildsInHumanReadable'),
  createRule(['archiveBuildsInHumanReadable'], 'archiveBuildsInSeconds', ({ archiveBuildsInHumanReadable: age }) =>
    (parseHumanDuration(age ?? '') ?? minArchiveAgeSeconds) < minArchiveAgeSeconds
      ? `must be greater than or equal to ${minArchiveAgeSeconds}`
      : undefined,
  ),
  requiredValue('repositoryStorages'),

  ...keyRestrictions.map((name) => createRule([name], name, (next) => keyRestrictionProblem(name, next[name]))),
  createRule(keyRestrictions, 'allowedKeyTypes', (next) =>
    keyRestrictions.every((name) => next[name] === forbiddenKey) ? "can't be blank" : undefined,
  ),

  createRule(['terms'], 'terms', ({ enforceTerms, terms }) =>
    enforceTerms && isBlank(terms) ? 'You need to set terms to be enforced' : undefined,
  ),
  createRule(['domainBlacklist'], 'domainBlacklist', (next) =>
    next.domainBlacklistEnabled && isBlank(next.domainBlacklist)
      ? 'Domain blacklist cannot be empty if Blacklist is enabled.'
      : undefined,
  ),

  requiredValue('spamfilterApiKey', 'spamfilterEnabled'),
  requiredValue('assetProxyUrl', 'assetProxyEnabled'),
  validWebUrl('assetProxyUrl'),
  requiredValue('diagramtoolUrl', 'diagramtoolEnabled'),
  validWebUrl('diagramtoolUrl'),
  createRule(['searchengineUrl'], 'searchengineUrl', ({ searchengineUrl }) => {
    const reasons = (searchengineUrl ?? '').split(',').map((url) => !isBlank(url) && webUrlProblem(url.trim()))
    const reason = reasons.find((problem) => typeof problem === 'string')
    return reason ? `is blocked: ${reason}` : undefined
  }),

  requiredValue('externalAuthorizationServiceDefaultLabel', 'externalAuthorizationServiceEnabled'),
  requiredValue('externalAuthorizationServiceUrl', 'externalAuthorizationServiceEnabled'),
  validWebUrl('externalAuthorizationServiceUrl'),
  inRange('externalAuthorizationServiceTimeout', { above: 0, to: 10 }),
  createRule(['externalAuthClientKey'], 'externalAuthClientKey', (next) =>
    !isBlank(next.externalAuthClientCert) && isBlank(next.externalAuthClientKey) ? "can't be blank" : undefined,
  ),
  {
    settings: ['externalAuthClientCert', 'externalAuthClientKey', 'externalAuthClientKeyPass'],
    findProblems({ externalAuthClientCert: certificate, externalAuthClientKey: key, externalAuthClientKeyPass: pass }) {
      if (!certificate || isBlank(certificate) || !key || isBlank(key)) return []
      const problems = findClientCertificateProblems(certificate, key, pass)
      return [
        ...(problems.certificate ? [['externalAuthClientCert', problems.certificate] as const] : []),
        ...(problems.key ? [['externalAuthClientKey', problems.key] as const] : []),
      ]
    },
  },
]

/**
 * Error messages by field; empty when the change is valid. `next` has all settings after the change, with decrypted
 * secrets. Only the rules of changed settings are checked, so a stored value that violates a newer rule does not block
 * other changes.
 */
export const findSettingProblems = (next: Settings, change: SettingsChange): Record<string, string[]> => {
  const values: Readonly<Record<string, unknown>> = change
  const problems: Record<string, string[]> = {}
  for (const { settings, findProblems } of rules) {
    if (!settings.some((name) => values[name] !== undefined)) continue
    for (const [field, message] of findProblems(next)) problems[field] = [...(problems[field] ?? []), message]
  }
  return problems
}
