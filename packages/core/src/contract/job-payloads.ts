import type { BulkDeleteRules } from '../features/registry/bulk-delete.ts'

/** The kinds of jobs, which run after a commit or once a day, with their payloads. */
export interface JobPayloads {
  'repository.remove': { readonly storageKey: string }
  'repository.syncDefaultBranch': { readonly projectId: number }
  'members.expire': Record<never, never>
  'events.expire': Record<never, never>
  /** `requestedAt`: the instant from which the age of a tag is computed. */
  'registry.removeTags': { readonly repository: number; readonly rules: BulkDeleteRules; readonly requestedAt: string }
  'registry.removeRepository': { readonly repository: number }
  'registry.discover': Record<never, never>
  'registry.runPolicies': Record<never, never>
  'pagesDomains.verify': { readonly domain: number }
  'pagesDomains.renewCertificate': { readonly domain: number }
  'pagesDomains.review': Record<never, never>
  'remoteMirrors.push': { readonly mirror: number }
  'mergeRequests.refreshVersion': { readonly projectId: number; readonly iid: number }
}
