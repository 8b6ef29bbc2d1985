import { flag, integer, longText, optionalInteger, reference, references, secret, text } from './setting.ts'

const paidTraits = { paid: true } as const

const noNodeRequests = {
  ...paidTraits,
  noEffect: 'Nodes send no requests to each other: they share a database.',
} as const

const noSearchEngine = {
  ...paidTraits,
  noEffect: 'The indexes of the database are searched, and no search engine is connected.',
} as const

export const paidSettings = {
  allowGroupOwnersToManageLdap: flag(true, 'Group owners can link their group to LDAP groups.', {
    ...paidTraits,
    effect: 'Whether group owners can change access levels that are synchronized from LDAP, or administrators only.',
  }),
  checkNamespacePlan: flag(false, 'The plan of a namespace determines the paid features of its projects.', {
    ...paidTraits,
    noEffect: 'Namespaces have no plans: the tier of the platform applies to all of them.',
  }),
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
  fileTemplateProjectId: reference(null, 'Project that contains the file templates.', {
    ...paidTraits,
    effect:
      'The first templates of all lists: files in the folders `Dockerfile`, `gitignore`, `gitlab-ci` and `LICENSE` of the default ' +
      'branch. All users can read them.',
  }),
  deletionAdjournedPeriod: integer(7, 'Days between the deletion of a project or group and its removal (0 to 90).', {
    ...paidTraits,
    effect:
      'A deleted project or group can be restored for so long. Until it is set, and with 0, it is removed at once.',
  }),
  geoNodeAllowedIps: text(
    '0.0.0.0/0, ::/0',
    'IP addresses and ranges of replica nodes, comma-separated.',
    noNodeRequests,
  ),
  geoStatusTimeout: integer(10, 'Timeout of a status request to a replica node, in seconds.', noNodeRequests),
  searchengineIndexing: flag(false, 'Content is indexed in the search engine.', noSearchEngine),
  searchengineSearch: flag(false, 'Searches use the search engine.', noSearchEngine),
  searchengineUrl: text(
    'http://localhost:9200',
    'URL of the search engine, or of each cluster node, comma-separated.',
    noSearchEngine,
  ),
  searchengineLimitIndexing: flag(false, 'Only the selected namespaces and projects are indexed.', noSearchEngine),
  searchengineNamespaceIds: references([], 'Ids of the namespaces to index when indexing is limited.', noSearchEngine),
  searchengineProjectIds: references([], 'Ids of the projects to index when indexing is limited.', noSearchEngine),
  searchengineIndexedFieldLengthLimit: integer(
    0,
    'Maximum number of indexed characters per text field; 0 means no limit.',
    noSearchEngine,
  ),
  searchengineMaxBulkConcurrency: integer(
    10,
    'Maximum number of parallel bulk requests per repository that is indexed.',
    noSearchEngine,
  ),
  searchengineMaxBulkSizeMb: integer(
    10,
    'Maximum size of a bulk request when a repository is indexed, in MB.',
    noSearchEngine,
  ),
  searchengineCloud: flag(
    false,
    'The search engine runs at the cloud provider and requires signed requests.',
    noSearchEngine,
  ),
  searchengineCloudRegion: text('us-east-1', 'Region of the search engine at the cloud provider.', noSearchEngine),
  searchengineCloudAccessKey: secret(
    text(null, 'Access key for the search engine at the cloud provider.', noSearchEngine),
  ),
  searchengineCloudSecretAccessKey: secret(
    text(null, 'Secret of the access key for the search engine at the cloud provider.', noSearchEngine),
  ),
}
