import type { Label } from './features/labels/label.ts'
import type { Issue } from './features/issues/issue.ts'
import type { MergeRequest } from './features/merge-requests/merge-request.ts'
import type { Context } from './kernel/context.ts'

/** The facts features tell each other, and hosts that listen with `platform.on`. */
export interface Signals {
  'label.created': { readonly label: Label; readonly projectId: number | null; readonly groupId: number | null }
  'label.updated': { readonly label: Label; readonly before: Label }
  'label.removed': { readonly label: Label }
  'label.promoted': { readonly label: Label; readonly before: Label }
  'issue.opened': { readonly issue: Issue }
  'issue.closed': { readonly issue: Issue }
  'issue.reopened': { readonly issue: Issue }
  'mergeRequest.opened': { readonly mergeRequest: MergeRequest }
  'mergeRequest.closed': { readonly mergeRequest: MergeRequest }
  'mergeRequest.reopened': { readonly mergeRequest: MergeRequest }
  'mergeRequest.merged': { readonly mergeRequest: MergeRequest }
  /** Somebody became a direct member of a project or a group. */
  'member.joined': { readonly projectId: number | null; readonly groupId: number | null; readonly userId: number }
  /** A direct membership ended: removed, left by oneself, or expired. */
  'member.left': {
    readonly projectId: number | null
    readonly groupId: number | null
    readonly userId: number
    readonly expired: boolean
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
