import { flag, longText, reference, references, secret, text, whole } from './setting.ts'

const paid = { paid: true } as const

/** Settings of the paid tier. */
export const paidSettings = {
  allowGroupOwnersToManageLdap: flag(true, 'Group owners can link their group to directory groups.', {
    ...paid,
    governs: 'Whether owners, too, change levels that a directory keeps in step, or administrators only.',
  }),
  checkNamespacePlan: flag(false, 'Paid features of a project depend on the plan of its namespace.', paid),
  emailAdditionalText: longText(null, 'Text at the end of every e-mail, for legal or audit reasons.', paid),
  fileTemplateProjectId: reference(null, 'Project from which file templates are taken.', paid),
  deletionAdjournedPeriod: whole(7, 'Days between the deletion of a project and its removal (0 to 90).', paid),
  geoNodeAllowedIps: text('0.0.0.0/0, ::/0', 'Addresses from which replica nodes may ask, with commas.', paid),
  geoStatusTimeout: whole(10, 'Seconds a replica node has to tell its status.', paid),
  searchengineIndexing: flag(false, 'Content is written to the search engine.', paid),
  searchengineSearch: flag(false, 'Searches are answered by the search engine.', paid),
  searchengineUrl: text(
    'http://localhost:9200',
    'Address of the search engine, or of each member of a cluster with commas between.',
    paid,
  ),
  searchengineLimitIndexing: flag(false, 'Only the listed namespaces and projects are indexed.', paid),
  searchengineNamespaceIds: references([], 'Namespaces to index when indexing is limited.', paid),
  searchengineProjectIds: references([], 'Projects to index when indexing is limited.', paid),
  searchengineIndexedFieldLengthLimit: whole(0, 'Characters of a text field that are indexed; 0 means all.', paid),
  searchengineMaxBulkConcurrency: whole(10, 'Parallel bulk requests per indexed repository.', paid),
  searchengineMaxBulkSizeMb: whole(10, 'Largest bulk request when a repository is indexed, in MB.', paid),
  searchengineCloud: flag(false, 'The search engine runs at the cloud provider and wants signed requests.', paid),
  searchengineCloudRegion: text('us-east-1', 'Region of the search engine at the cloud provider.', paid),
  searchengineCloudAccessKey: secret(text(null, 'Access key for the search engine at the cloud provider.', paid)),
  searchengineCloudSecretAccessKey: secret(text(null, 'Secret belonging to that access key.', paid)),
}
