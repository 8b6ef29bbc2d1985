import type { FeatureLevel } from '../access/levels.ts'
import type { CommitCommentRecord } from '../features/collaboration/commit-comments/discussion.ts'
import type { MergeRequestRecord } from '../features/collaboration/merge-requests/merge-request.ts'
import type { NoteRecord } from '../features/collaboration/notes/note.ts'
import type { SnippetRecord } from '../features/collaboration/snippets/snippet.ts'
import type { PipelineScheduleRecord } from '../features/delivery/pipeline-schedules/schedule.ts'
import type { RunnerType } from '../features/delivery/runners/runner.ts'
import type { EpicRecord } from '../features/planning/epics/epic.ts'
import type { IssueRecord } from '../features/planning/issues/issue.ts'
import type { UserActor } from '../kernel/actor.ts'
import type { Group, Namespace } from './namespace.ts'
import type { Project } from './project.ts'

export interface SnippetSubject {
  /** Null for a personal snippet, on which `access` is 0. */
  readonly project: Project | null
  readonly access: number
  readonly snippet: SnippetRecord
}

/**
 * The subjects of permissions, by kind. `access` is the actor's level on the project or group, including inherited and
 * shared memberships.
 */
export interface Subjects {
  instance: { readonly kind: 'instance' }
  /** The account of the current user. */
  currentUser: { readonly kind: 'currentUser' }
  /** The account of the user that an input names, by id or username. It is looked up after the permission check. */
  user: { readonly kind: 'user'; readonly user: number | string }
  /** The parent of projects: a group, or the personal namespace of a user, on which its owner has level 50. */
  namespace: {
    readonly kind: 'namespace'
    readonly namespace: Namespace
    readonly access: number
    /** The user for whom an administrator creates a project. */
    readonly creatorId?: number | null
  }
  group: {
    readonly kind: 'group'
    readonly group: Group
    readonly access: number
    /** Whether the target user is the actor; only set by subjects that name a user. */
    readonly self?: boolean
    /** The actor can see a project in the group or its subgroups, which makes the group itself visible. */
    readonly hasVisibleProject: boolean
  }
  project: {
    readonly kind: 'project'
    readonly project: Project
    readonly access: number
    /** Whether the target user is the actor; only set by subjects that name a user. */
    readonly self?: boolean
    /** The actor's level on the project's group; only set by `projectAndGroup`, and omitted in a personal namespace. */
    readonly groupAccess?: number
  }
  /** A milestone of a project, whose items users without access to issues can list, too. */
  milestone: { readonly kind: 'milestone'; readonly project: Project; readonly access: number }
  issue: {
    readonly kind: 'issue'
    readonly project: Project
    readonly access: number
    readonly issue: IssueRecord
    /** The actor is an assignee. */
    readonly isAssignee: boolean
  }
  mergeRequest: {
    readonly kind: 'mergeRequest'
    readonly project: Project
    readonly access: number
    readonly mergeRequest: MergeRequestRecord
  }
  snippet: SnippetSubject & { readonly kind: 'snippet' }
  /** A snippet that the operation changes: visible to its author only. */
  ownSnippet: SnippetSubject & { readonly kind: 'ownSnippet' }
  /** A group, as managed by its identity provider. */
  scimGroup: {
    readonly kind: 'scimGroup'
    readonly group: Group
    /** Single sign-on is enabled for the group. */
    readonly ssoEnabled: boolean
  }
  /** The wiki of a project. */
  wiki: {
    readonly kind: 'wiki'
    readonly project: Project
    readonly access: number
    /** Who can use the wiki: `enabled` everyone who sees the project, `private` members, `disabled` no one. */
    readonly accessLevel: FeatureLevel
  }
  /** The wiki of a group. */
  groupWiki: {
    readonly kind: 'groupWiki'
    readonly group: Group
    readonly access: number
    readonly hasVisibleProject: boolean
    /** Who can use the wiki: `enabled` everyone who sees the group, `private` its members, `disabled` no one. */
    readonly accessLevel: FeatureLevel
  }
  /** The container registry of a project. */
  registry: {
    readonly kind: 'registry'
    readonly project: Project
    readonly access: number
  }
  /** A commit, or what could be one: it is looked up in the repository after the permission check. */
  commit: {
    readonly kind: 'commit'
    readonly project: Project
    readonly access: number
    /** A SHA, a branch or a tag, as in the input. */
    readonly sha: string
  }
  /** A comment on a commit. */
  commitComment: {
    readonly kind: 'commitComment'
    readonly project: Project
    readonly access: number
    /** The commit as in the input, which need not be that of the comment. */
    readonly sha: string
    readonly comment: CommitCommentRecord
  }
  pipelineSchedule: {
    readonly kind: 'pipelineSchedule'
    readonly project: Project
    readonly access: number
    readonly schedule: PipelineScheduleRecord
  }
  /** A trigger or a running job that the current user has the token of. */
  pipelineTrigger: {
    readonly kind: 'pipelineTrigger'
    readonly project: Project
    /** The user of the trigger or job, and of the pipelines that it creates. */
    readonly owner: UserActor
    /** The level of the owner. */
    readonly access: number
    /** Null for a job. */
    readonly triggerId: number | null
  }
  runner: {
    readonly kind: 'runner'
    readonly runner: {
      readonly id: number
      readonly runnerType: RunnerType
      readonly locked: boolean
      /** Its projects, the owning one first; empty for a runner that its token identifies. */
      readonly projectIds: readonly number[]
    }
    /** The current user is an owner of its group, or a maintainer of one of its projects. */
    readonly isManager: boolean
    /** The token that identifies the runner; null if its id does. */
    readonly token: string | null
  }
  /** A running job that the current user has the token of. */
  runningJob: {
    readonly kind: 'runningJob'
    readonly project: Project
    readonly access: number
    readonly jobId: number
  }
  /** An application with the token of the clients of a project. */
  featureFlagsClient: { readonly kind: 'featureFlagsClient'; readonly project: Project; readonly access: number }
  /** An application with a client key of the error tracking of a project. */
  errorClient: { readonly kind: 'errorClient'; readonly project: Project; readonly access: number }
  epic: { readonly kind: 'epic'; readonly group: Group; readonly access: number; readonly epic: EpicRecord }
  note: {
    readonly kind: 'note'
    /** The item that the note belongs to. */
    readonly noteable: Noteable
    readonly access: number
    readonly note: NoteRecord
  }
}

/** The items that can have notes. */
export type Noteable = Subjects['issue'] | Subjects['mergeRequest'] | Subjects['snippet'] | Subjects['epic']
