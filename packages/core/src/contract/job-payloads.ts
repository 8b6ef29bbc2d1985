import type { ReferenceSource } from '../features/collaboration/cross-references/source.ts'
import type { NotificationRequest } from '../features/collaboration/notifications/notification.ts'
import type { BulkDeleteRules } from '../features/delivery/container-repositories/bulk-delete.ts'
import type { StoppedReview } from '../features/delivery/environments/stopped-review.ts'
import type { PushedReference } from '../features/delivery/pipelines/pushed-reference.ts'
import type { Reference } from '../ports/markdown/reference.ts'

/** The kinds of jobs, which run after a commit or once a day, with their payloads. */
export interface JobPayloads {
  'projects.remove': { readonly projectId: number }
  'groups.remove': { readonly groupId: number }
  /** Removes what has been marked for deletion for long enough. */
  'removals.run': Record<never, never>
  'users.remove': { readonly userId: number; readonly hardDelete: boolean }
  /** `url`: without credentials. */
  'projects.importRepository': {
    readonly projectId: number
    readonly url: string
    readonly sealedCredentials: string | null
  }
  'archives.export': { readonly export: number }
  'archives.import': { readonly import: number }
  'archives.expire': Record<never, never>
  'repository.remove': { readonly storageKey: string }
  /** Repairs a repository after the process that changed it has ended. */
  'repository.recover': { readonly projectId: number }
  'repository.maintain': { readonly projectId: number; readonly prune: boolean }
  'repository.syncDefaultBranch': { readonly projectId: number }
  'repository.countLanguages': { readonly projectId: number }
  /** Counts the contributors of a long history. */
  'repository.countContributors': { readonly count: number }
  /** A file that may belong to no upload and no package. */
  'uploads.removeFile': { readonly storageKey: string }
  /** All files below a prefix. */
  'uploads.removeFiles': { readonly prefix: string }
  'uploads.cleanUp': Record<never, never>
  /** Removes the user of a project's or a group's access token. */
  'accessTokens.removeBot': { readonly userId: number }
  'members.expire': Record<never, never>
  'users.deactivateDormant': Record<never, never>
  /** A user has an address with very many invitations. */
  'invitations.accept': { readonly userId: number; readonly email: string }
  /** Mails the link that confirms an address. */
  'emails.mailConfirmation': { readonly emailId: number; readonly siteUrl: string }
  /** Mails a message about an account or a membership, to a user or an address without one. */
  'accountMails.send': {
    readonly key: string
    readonly recipient: {
      readonly userId?: number
      readonly email?: string
      readonly name?: string
      readonly invitation?: number
    }
    readonly subject: string
    readonly text: string
    readonly about: { readonly projectId: number | null; readonly groupId: number | null } | null
    readonly siteUrl: string | null
  }
  'accountMails.remind': Record<never, never>
  /** Mails the link to set a new password to an address that a visitor has entered. */
  'passwords.mailReset': {
    readonly userId: number
    readonly email: string
    readonly siteUrl: string | null
    readonly requestedAt: string
  }
  'events.expire': Record<never, never>
  /** An event that users may have to be notified of. */
  'notifications.create': NotificationRequest
  /** Mails a notification. */
  'notifications.send': { readonly notification: number }
  /** Notifies of issues that are due on the next day. */
  'notifications.remind': Record<never, never>
  'notifications.expire': Record<never, never>
  /** `requestedAt`: the instant from which the age of a tag is computed. */
  'registry.removeTags': { readonly repository: number; readonly rules: BulkDeleteRules; readonly requestedAt: string }
  'registry.removeRepository': { readonly repository: number }
  'registry.discover': Record<never, never>
  'registry.runPolicies': Record<never, never>
  /** Publishes the site that a job has built. */
  'pagesSites.publish': { readonly projectId: number; readonly job: number }
  'pagesDomains.verify': { readonly domain: number }
  'pagesDomains.renewCertificate': { readonly domain: number }
  'pagesDomains.review': Record<never, never>
  'remoteMirrors.push': { readonly mirror: number }
  /** A mirror that has failed is due again at this time. */
  'remoteMirrors.retry': { readonly mirror: number; readonly dueAt: string }
  'pullMirrors.pull': { readonly mirror: number; readonly dueAt: string }
  /** Sends the pending deliveries of a hook. */
  'hooks.deliver': { readonly hook: number }
  /** Stops an environment whose end is this time. */
  'environments.autoStop': { readonly environment: number; readonly dueAt: string }
  /** Stops the environments of a removed branch, or of a merge request that was merged or closed, for a user or the host (null). */
  'environments.stopAfter': StoppedReview
  /** Records the merge requests that a successful deployment has added to its environment. */
  'deployments.linkMergeRequests': { readonly deployment: number }
  'hooks.expireDeliveries': Record<never, never>
  'oauth.expire': Record<never, never>
  /** Creates the pipeline of a schedule that is due at this time. */
  'pipelineSchedules.run': { readonly schedule: number; readonly dueAt: string }
  /** A push whose commit can have a pipeline file, or a new merge request. */
  'pipelines.createOnPush': PushedReference
  /** Removes artifacts of a project that were stored until this time. */
  'pipelineJobs.removeArtifacts': { readonly projectId: number; readonly until: string }
  /** A delayed job is due. */
  'pipelines.startDelayed': { readonly projectId: number; readonly job: number }
  /** `dueAt`: when the runner should have reported the end of the job. */
  'runners.failSilentJob': { readonly projectId: number; readonly job: number; readonly dueAt: string }
  /** Removes pipelines that are older than their projects keep them. */
  'pipelines.expire': Record<never, never>
  /** A default branch has changed: its lock files are read. */
  'dependencies.scan': { readonly projectId: number }
  'errorTracking.expire': Record<never, never>
  /** Removes the artifacts that have expired. */
  'pipelineJobs.expireArtifacts': Record<never, never>
  /** A job waits that starts another pipeline. */
  'pipelines.startDownstream': { readonly projectId: number; readonly job: number }
  /** A pipeline that a job has started has ended. */
  'pipelines.completeBridge': { readonly projectId: number; readonly pipeline: number }
  /** A push has moved the source branch of a merge request with suggestions. */
  'suggestions.locate': { readonly projectId: number; readonly iid: number }
  /** A push of a user, or of the host (null), has moved the source branch of a merge request with discussions on its lines. */
  'discussions.trace': { readonly projectId: number; readonly iid: number; readonly userId: number | null }
  'mergeRequests.refreshVersion': { readonly projectId: number; readonly iid: number }
  /** A push has moved a branch from one commit to another. */
  'mergeRequests.detectMerged': {
    readonly projectId: number
    readonly userId: number | null
    readonly branch: string
    readonly before: string
    readonly after: string
  }
  /** The pipeline of a merge request that waits for it has succeeded for this commit, or it has no pipeline and waits for its time. */
  'mergeRequests.mergeAfterPipeline': { readonly projectId: number; readonly iid: number; readonly sha: string | null }
  /** A user has written `/submit_review`, and has draft notes with suggestions, which read the repository. */
  'draftNotes.publish': { readonly projectId: number; readonly iid: number; readonly userId: number }
  /** A user has written `/merge` or `/rebase`. */
  'mergeRequests.runQuickAction': {
    readonly projectId: number
    readonly iid: number
    readonly userId: number
    readonly action: 'merge' | 'rebase'
  }
  /** Removes the branch of a fork after its merge by a user, or by the host (null), unless it has moved. */
  'mergeRequests.removeSourceBranch': {
    readonly projectId: number
    readonly branch: string
    readonly sha: string
    readonly userId: number | null
  }
  /**
   * Closes the open merge requests into other projects from a project that is no fork any more, or from those that were removed
   * (null). `userId`: who has done it, null for the host.
   */
  'mergeRequests.closeOfFork': { readonly sourceProjectId: number | null; readonly userId: number | null }
  /** Issues and merge requests that a text of a user mentions. */
  'crossReferences.insert': {
    readonly userId: number
    readonly source: ReferenceSource
    readonly references: readonly Pick<Reference, 'kind' | 'project' | 'value'>[]
  }
  /** A user has moved a branch from one commit (null: a new branch) to another. */
  'crossReferences.readCommits': {
    readonly projectId: number
    readonly userId: number
    readonly branch: string
    readonly before: string | null
    readonly after: string
  }
  /** Issues that a merge closes for a user, or for the host (null). */
  'mergeRequests.closeIssues': {
    readonly userId: number | null
    /** The merge request. */
    readonly source: ReferenceSource
    readonly issues: readonly { readonly projectPath: string; readonly iid: number }[]
  }
}
