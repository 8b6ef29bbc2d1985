import type { Token } from '../features/accounts/tokens/token.ts'
import type { User } from '../features/accounts/users/user.ts'
import type { PipelineJob } from '../features/code/pipeline-records/job.ts'
import type { Pipeline } from '../features/code/pipeline-records/pipeline.ts'
import type { PipelineStatus } from '../features/code/pipeline-records/status.ts'
import type { PushRecord } from '../features/code/repository/push.ts'
import type { CommitNote } from '../features/collaboration/commit-comments/discussion.ts'
import type {
  AutoMergeChange,
  MergeRequest,
  MergeRequestRecord,
  Reviewer,
} from '../features/collaboration/merge-requests/merge-request.ts'
import type { MentionedUser, Note, NoteTarget } from '../features/collaboration/notes/note.ts'
import type { CreatedNotification } from '../features/collaboration/notifications/notification.ts'
import type { WikiText } from '../features/collaboration/wikis/wiki-page.ts'
import type { DeploymentDetails } from '../features/delivery/deployments/deployment-details.ts'
import type { FeatureFlag } from '../features/delivery/feature-flags/feature-flag.ts'
import type { Package, PackageFile } from '../features/delivery/packages/package.ts'
import type { ReleaseWithoutCommit } from '../features/delivery/releases/release.ts'
import type { Epic } from '../features/planning/epics/epic.ts'
import type { FollowUp, Issue } from '../features/planning/issues/issue.ts'
import type { Label } from '../features/planning/labels/label.ts'
import type { Milestone } from '../features/planning/milestones/milestone.ts'
import type { QuickActionKind } from '../features/planning/quick-actions/definitions.ts'
import type { QuickAction } from '../features/planning/quick-actions/parser.ts'
import type { Invitation } from '../features/spaces/invitations/invitation.ts'
import type { Group } from './namespace.ts'
import type { Project } from './project.ts'
import type { PushCause } from './push-cause.ts'
import type { PushVolume } from './push-volume.ts'

/** A public SSH key of a user. */
export interface UserKey {
  readonly id: number
  readonly userId: number
  readonly key: string
  readonly createdAt: string
}

/** A mirror that failed. */
interface MirrorFailure {
  readonly projectId: number
  /** Without credentials. */
  readonly url: string
  /** What went wrong, without secrets. */
  readonly message: string
}

/** An approval that was added or removed. */
export interface ApprovalChange {
  readonly mergeRequestId: number
  readonly projectId: number
  /** The user who approves. */
  readonly userId: number
  readonly isDecisive: boolean
}

/** A review that its reviewer has submitted, or that was requested again. */
export interface ReviewChange {
  readonly mergeRequestId: number
  readonly projectId: number
  /** The user who acts. */
  readonly userId: number
  readonly reviewerId: number
  /** Null for a user who was no reviewer before. */
  readonly previousState: Reviewer['state'] | null
  readonly reRequested: boolean
}

/** The quick actions of a description, and the item that has it. */
export interface QuickActionRequest {
  readonly kind: QuickActionKind
  /** Null for an epic. */
  readonly projectId: number | null
  /** Null for an issue and a merge request. */
  readonly groupId: number | null
  readonly iid: number
  readonly actions: readonly QuickAction[]
}

/** An emoji, and the item that has it. */
export interface EmojiAwarded {
  readonly id: number
  readonly issueId: number | null
  readonly mergeRequestId: number | null
  readonly noteId: number | null
  readonly snippetId: number | null
  readonly epicId: number | null
  readonly userId: number
  readonly name: string
  readonly createdAt: string
}

/** The domain events that features react to and that hosts receive with `platform.on`. */
export interface Signals {
  'label.created': { readonly label: Label; readonly projectId: number | null; readonly groupId: number | null }
  'label.updated': { readonly label: Label; readonly before: Label }
  'label.removed': { readonly label: Label }
  'label.promoted': { readonly label: Label; readonly before: Label }
  /** `continues`: the discussions of a merge request that the issue continues; omitted for none. */
  'issue.opened': { readonly issue: Issue; readonly continues?: FollowUp }
  /** Fields, labels, assignees, milestone, confidentiality or lock changed; not the state. */
  'issue.updated': { readonly before: Issue; readonly after: Issue }
  /** `via`: the commit or merge request that closed it, such as `merge request !1`; omitted for a call. */
  'issue.closed': { readonly issue: Issue; readonly via?: string }
  'issue.reopened': { readonly issue: Issue }
  'mergeRequest.opened': { readonly mergeRequest: MergeRequest }
  'mergeRequest.updated': { readonly before: MergeRequest; readonly after: MergeRequest }
  'mergeRequest.closed': { readonly mergeRequest: MergeRequest }
  'mergeRequest.reopened': { readonly mergeRequest: MergeRequest }
  'mergeRequest.merged': { readonly mergeRequest: MergeRequest }
  /** A user approved a merge request. `isDecisive`: it has all required approvals now. */
  'mergeRequest.approvalAdded': ApprovalChange
  /** A user withdrew an approval. `isDecisive`: the merge request had all required approvals, and lacks some now. */
  'mergeRequest.approvalRemoved': ApprovalChange
  /** Rules of a merge request name further users as approvers. */
  /** A reviewer has submitted a review other than an approval, or is asked for another one. */
  'mergeRequest.reviewChanged': ReviewChange
  'mergeRequest.approversAdded': {
    readonly mergeRequest: MergeRequestRecord
    /** Ids of the users. */
    readonly userIds: readonly number[]
  }
  /** The branches of an open merge request have conflicts, which they had not at the last comparison. */
  'mergeRequest.conflicted': { readonly mergeRequest: MergeRequestRecord }
  /** A merge request was set to merge when its pipeline succeeds, or no longer is. */
  'mergeRequest.autoMergeChanged': {
    readonly mergeRequestId: number
    readonly projectId: number
    readonly iid: number
    readonly change: AutoMergeChange
  }
  'epic.opened': { readonly epic: Epic }
  /** Fields or labels changed; not the state. */
  'epic.updated': { readonly before: Epic; readonly after: Epic }
  'epic.closed': { readonly epic: Epic }
  'epic.reopened': { readonly epic: Epic }
  /** A user wrote a comment. System notes are not reported as notes; the change itself has a signal of its own. */
  'note.created': { readonly note: Note; readonly target: NoteTarget; readonly mentioned: readonly MentionedUser[] }
  /** `mentioned`: only users that the previous text did not mention. */
  'note.updated': { readonly note: Note; readonly target: NoteTarget; readonly mentioned: readonly MentionedUser[] }
  /** A quick action adds a to-do of its author on the target, or marks it as done. */
  'todo.requested': { readonly target: NoteTarget; readonly userId: number; readonly done: boolean }
  /** A user wrote a description with quick actions. They are executed in the same transaction. */
  'quickActions.requested': QuickActionRequest
  /** A quick action publishes the draft notes of the current user on a merge request, in the same transaction. */
  'draftNotes.publicationRequested': { readonly projectId: number; readonly iid: number }
  'note.removed': { readonly note: Note; readonly target: NoteTarget }
  /** A comment on a commit, or on a line of one of its changes. */
  'commitComment.created': { readonly comment: CommitNote }
  'commitComment.updated': { readonly comment: CommitNote }
  /** A user was notified of an event. Emitted only if the platform sends mail. */
  'notification.created': { readonly notification: CreatedNotification }
  'milestone.opened': { readonly milestone: Milestone }
  'milestone.closed': { readonly milestone: Milestone }
  'milestone.reopened': { readonly milestone: Milestone }
  'milestone.removed': { readonly milestone: Milestone }
  /** A user awarded an emoji to an issue, a merge request, a note, a snippet or an epic; the other ids are null. */
  'emoji.awarded': EmojiAwarded
  /** The emoji of a user was removed; see `emoji.awarded`. */
  'emoji.revoked': EmojiAwarded
  /**
   * A push created, moved or removed a branch or tag. `userId` is null when the host pushed without naming a user: such a
   * push appears in no user's activity. `cause` is null for a plain push. `pushOptions`: those that the client of git has sent,
   * such as `ci.skip`. `volume`: how it is reported, if the push changes many branches or tags.
   */
  'code.pushed': {
    readonly projectId: number
    readonly userId: number | null
    readonly push: PushRecord
    readonly cause: PushCause | null
    readonly pushOptions: readonly string[]
    readonly volume: PushVolume
  }
  'project.created': { readonly project: Project }
  'project.updated': { readonly before: Project; readonly after: Project }
  /** Emitted before the rows are deleted, so that reactions can still read dependent rows. */
  'project.removed': { readonly project: Project }
  /** A group or subgroup was created. */
  'group.created': { readonly group: Group }
  /** The path of a group changed. */
  'group.renamed': { readonly group: Group; readonly oldPath: string; readonly oldFullPath: string }
  /** Emitted before the rows of the group, its subgroups and projects are deleted. */
  'group.removed': { readonly groupId: number }
  /** A user became a direct member of a project or a group. */
  'member.joined': { readonly projectId: number | null; readonly groupId: number | null; readonly userId: number }
  /** The access level or the expiry date of a direct membership changed. */
  'member.updated': { readonly projectId: number | null; readonly groupId: number | null; readonly userId: number }
  /** A direct membership ended: the user was removed or left, or the membership expired. */
  'member.left': {
    readonly projectId: number | null
    readonly groupId: number | null
    readonly userId: number
    readonly expired: boolean
    /** The access level that the user had. */
    readonly accessLevel: number
  }
  /** A project or a group invited an e-mail address that no user has. The host can send a mail. */
  'invitation.created': {
    readonly projectId: number | null
    readonly groupId: number | null
    readonly invitation: Invitation
  }
  'user.created': { readonly user: User }
  /** The username of a user changed. */
  'user.renamed': { readonly user: User; readonly oldUsername: string }
  /** A user, or the host for a user, added a public SSH key. */
  'key.created': UserKey
  'key.removed': UserKey
  /** A user, or the host for a user, added a GPG key. */
  'gpgKey.created': { readonly userId: number; readonly fingerprint: string }
  /** A personal access token was created, revoked, or replaced by a new one with the same name. */
  'token.changed': { readonly token: Token; readonly change: 'created' | 'revoked' | 'rotated' }
  /** A user signed in with a password; the addresses of this sign-in and of the previous one are null if they are unknown. */
  'user.signedIn': {
    readonly userId: number
    readonly ipAddress: string | null
    readonly previousIpAddress: string | null
  }
  /** An administrator approved an account that waited for it, or rejected it before its removal. */
  'user.reviewed': { readonly user: User; readonly isApproved: boolean }
  /** A push to a mirror failed after all its attempts, for the first time since the last success. */
  'remoteMirror.failed': MirrorFailure
  /** The update of a project from the repository that it mirrors has failed 14 times in a row. */
  'pullMirror.failed': MirrorFailure
  /** An existing user has a new confirmed e-mail address, primary or additional. */
  'user.emailConfirmed': { readonly userId: number; readonly email: string }
  /** Emitted before the rows of the user are deleted. */
  'user.removed': { readonly user: User }
  'release.created': { readonly release: ReleaseWithoutCommit }
  'release.updated': { readonly release: ReleaseWithoutCommit }
  'release.removed': { readonly release: ReleaseWithoutCommit }
  /** A page was added to the wiki of a project. */
  'wikiPage.created': { readonly projectId: number; readonly page: WikiText }
  /** The text, the title or the format of a page changed. */
  'wikiPage.updated': { readonly projectId: number; readonly page: WikiText }
  'wikiPage.removed': { readonly projectId: number; readonly page: WikiText }
  /** A file was added to a package, which is new with its first file. */
  'package.published': { readonly package: Package; readonly file: PackageFile }
  /** A package was removed with all its files. */
  'package.removed': { readonly package: Package }
  /** A file of a package was removed. */
  'package.fileRemoved': { readonly package: Package; readonly file: PackageFile }
  /** A feature flag was turned on or off. */
  'featureFlag.toggled': { readonly projectId: number; readonly flag: FeatureFlag }
  /** A deployment was recorded, or its status changed. */
  'deployment.changed': { readonly projectId: number; readonly deployment: DeploymentDetails }
  /** A pipeline was created (`before` is null), or its status changed. */
  'pipeline.changed': { readonly pipeline: Pipeline; readonly before: PipelineStatus | null }
  /** A job of a pipeline or a commit status was created (`before` is null), or its status changed. */
  'pipelineJob.changed': { readonly job: PipelineJob; readonly before: PipelineStatus | null }
  /** A user requested access to a project or a group. */
  'accessRequest.opened': {
    readonly projectId: number | null
    readonly groupId: number | null
    readonly userId: number
  }
  /** A request was denied, or withdrawn by its author. */
  'accessRequest.ended': {
    readonly projectId: number | null
    readonly groupId: number | null
    readonly userId: number
    readonly withdrawn: boolean
  }
}
