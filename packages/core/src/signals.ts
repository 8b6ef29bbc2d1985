import type { PushRecord } from './features/events/event.ts'
import type { Issue } from './features/issues/issue.ts'
import type { Label } from './features/labels/label.ts'
import type { MergeRequest } from './features/merge-requests/merge-request.ts'
import type { Milestone } from './features/milestones/milestone.ts'
import type { Mentioned, Note, NoteTarget } from './features/notes/note.ts'
import type { Project } from './features/projects/project.ts'
import type { Context } from './kernel/context.ts'

/** The facts features tell each other, and hosts that listen with `platform.on`. */
export interface Signals {
  'label.created': { readonly label: Label; readonly projectId: number | null; readonly groupId: number | null }
  'label.updated': { readonly label: Label; readonly before: Label }
  'label.removed': { readonly label: Label }
  'label.promoted': { readonly label: Label; readonly before: Label }
  'issue.opened': { readonly issue: Issue }
  /** Its fields, labels, assignees, milestone, confidentiality or lock were set, not its state. */
  'issue.updated': { readonly before: Issue; readonly after: Issue }
  'issue.closed': { readonly issue: Issue }
  'issue.reopened': { readonly issue: Issue }
  'mergeRequest.opened': { readonly mergeRequest: MergeRequest }
  'mergeRequest.updated': { readonly before: MergeRequest; readonly after: MergeRequest }
  'mergeRequest.closed': { readonly mergeRequest: MergeRequest }
  'mergeRequest.reopened': { readonly mergeRequest: MergeRequest }
  'mergeRequest.merged': { readonly mergeRequest: MergeRequest }
  /** Somebody wrote a comment. Records of changes are stated as the changes themselves, never as notes. */
  'note.created': { readonly note: Note; readonly target: NoteTarget; readonly mentioned: readonly Mentioned[] }
  /** `mentioned`: only those whom it did not mention before. */
  'note.updated': { readonly note: Note; readonly target: NoteTarget; readonly mentioned: readonly Mentioned[] }
  /** Somebody asks by a command for a to-do of their own on it, or says that theirs is done. */
  'todo.asked': { readonly target: NoteTarget; readonly userId: number; readonly done: boolean }
  'note.removed': { readonly note: Note; readonly target: NoteTarget }
  'milestone.opened': { readonly milestone: Milestone }
  'milestone.closed': { readonly milestone: Milestone }
  'milestone.reopened': { readonly milestone: Milestone }
  /** Somebody gave an emoji to exactly one of an issue and a merge request. */
  'emoji.given': {
    readonly issueId: number | null
    readonly mergeRequestId: number | null
    readonly userId: number
    readonly name: string
  }
  /**
   * A branch or tag was made, moved or removed by a push. `userId` is null where the host itself did it, for nobody: then it
   * is no activity of anybody.
   */
  'code.pushed': { readonly projectId: number; readonly userId: number | null; readonly push: PushRecord }
  'project.created': { readonly project: Project }
  'project.updated': { readonly before: Project; readonly after: Project }
  /** Stated before the rows go, so that what hangs on them can still be found. */
  'project.removed': { readonly project: Project }
  /** Stated before the rows of everything below go. */
  'group.removed': { readonly groupId: number }
  /** Somebody became a direct member of a project or a group. */
  'member.joined': { readonly projectId: number | null; readonly groupId: number | null; readonly userId: number }
  /** A direct membership ended: removed, left by oneself, or expired. */
  'member.left': {
    readonly projectId: number | null
    readonly groupId: number | null
    readonly userId: number
    readonly expired: boolean
  }
  /** Somebody asks for access to a project or a group. */
  'accessRequest.opened': {
    readonly projectId: number | null
    readonly groupId: number | null
    readonly userId: number
  }
  /** A request ended without access: denied, or withdrawn by whoever asked. */
  'accessRequest.ended': {
    readonly projectId: number | null
    readonly groupId: number | null
    readonly userId: number
    readonly withdrawn: boolean
  }
}

export interface Reaction {
  readonly to: keyof Signals
  run(ctx: Context, fact: never): Promise<void>
}

/** Does something in the same transaction when a fact is stated. */
export const when = <N extends keyof Signals>(
  to: N,
  run: (ctx: Context, fact: Signals[N]) => Promise<void>,
): Reaction => ({ to, run })
