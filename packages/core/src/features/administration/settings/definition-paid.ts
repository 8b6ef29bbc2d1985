import { flag, integer, longText, optionalInteger, reference, references, secret, text } from './setting.ts'

const paidTraits = { paid: true } as const

export const paidSettings = {
  allowGroupOwnersToManageLdap: flag(true, 'Group owners can link their group to LDAP groups.', {
    ...paidTraits,
    effect: 'Whether group owners can change access levels that are synchronized from LDAP, or administrators only.',
  }),
  checkNamespacePlan: flag(false, 'The plan of a namespace determines the paid features of its projects.', paidTraits),
  emailAdditionalText: longText(null, 'Text at the end of every e-mail, for legal or audit purposes.', {
    ...paidTraits,
    effect: 'The end of every message.',
  }),
  maxPersonalAccessTokenLifetime: optionalInteger(
    null,
    'Maximum lifetime of access tokens in days (1 to 365); null means no limit.',
    {
      ...paidTraits,
      effect:
        'New tokens of users, projects and groups: later dates are rejected, and tokens without a date get the last one.',
    },
  ),
  fileTemplateProjectId: reference(null, 'Project that contains the file templates.', paidTraits),
  deletionAdjournedPeriod: integer(7, 'Days between the deletion of a project or group and its removal (0 to 90).', {
    ...paidTraits,
    effect:
      'A deleted project or group can be restored for so long. Until it is set, and with 0, it is removed at once.',
  }),
  geoNodeAllowedIps: text('0.0.0.0/0, ::/0', 'IP addresses and ranges of replica nodes, comma-separated.', paidTraits),
  geoStatusTimeout: integer(10, 'Timeout of a status request to a replica node, in seconds.', paidTraits),
  searchengineIndexing: flag(false, 'Content is indexed in the search engine.', paidTraits),
  searchengineSearch: flag(false, 'Searches use the search engine.', paidTraits),
  searchengineUrl: text(
    'http://localhost:9200',
    'URL of the search engine, or of each cluster node, comma-separated.',
    paidTraits,
  ),
  searchengineLimitIndexing: flag(false, 'Only the selected namespaces and projects are indexed.', paidTraits),
  searchengineNamespaceIds: references([], 'Ids of the namespaces to index when indexing is limited.', paidTraits),
  searchengineProjectIds: references([], 'Ids of the projects to index when indexing is limited.', paidTraits),
  searchengineIndexedFieldLengthLimit: integer(
    0,
    'Maximum number of indexed characters per text field; 0 means no limit.',
    paidTraits,
  ),
  searchengineMaxBulkConcurrency: integer(
    10,
    'Maximum number of parallel bulk requests per repository that is indexed.',
    paidTraits,
  ),
  searchengineMaxBulkSizeMb: integer(
    10,
    'Maximum size of a bulk request when a repository is indexed, in MB.',
    paidTraits,
  ),
  searchengineCloud: flag(
    false,
    'The search engine runs at the cloud provider and requires signed requests.',
    paidTraits,
  ),
  searchengineCloudRegion: text('us-east-1', 'Region of the search engine at the cloud provider.', paidTraits),
  searchengineCloudAccessKey: secret(text(null, 'Access key for the search engine at the cloud provider.', paidTraits)),
  searchengineCloudSecretAccessKey: secret(
    text(null, 'Secret of the access key for the search engine at the cloud provider.', paidTraits),
  ),
}
