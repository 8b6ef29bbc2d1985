import type { Subjects } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { forbidden, type PlatformError } from '../../../kernel/errors.ts'
import { hasAbility } from '../../../policy/authorize.ts'
import { reload as reloadEpic, setState as setEpicState, updateEpic } from '../../planning/epics/mutations.ts'
import type { HealthStatus, Issue } from '../../planning/issues/issue.ts'
import { reload as reloadIssue, updateIssue } from '../../planning/issues/mutations.ts'
import { updateMergeRequest } from '../merge-requests/mutations.ts'
import { reload as reloadMergeRequest } from '../merge-requests/state.ts'

export type QuickActionTarget = Subjects['issue'] | Subjects['mergeRequest'] | Subjects['epic']

export interface TargetUpdate {
  readonly stateEvent?: 'close' | 'reopen'
  readonly title?: string
  readonly confidential?: boolean
  readonly discussionLocked?: boolean
  readonly labels?: readonly string[]
  readonly addLabels?: readonly string[]
  readonly removeLabels?: readonly string[]
  readonly assignees?: readonly number[]
  readonly milestone?: string | null
  readonly weight?: number | null
  readonly healthStatus?: HealthStatus | null
}

/** The fields that quick actions read; epics have only the required ones. */
export type CurrentState = Pick<Issue, 'state' | 'title'> &
  Partial<Pick<Issue, 'assignees' | 'healthStatus' | 'labels' | 'milestone' | 'weight'>>

export const targetNouns = { issue: 'issue', mergeRequest: 'merge request', epic: 'epic' } as const

/** Reloads the target, because an earlier quick action of the comment may have changed it. */
export const reloadTarget = async (
  ctx: Context,
  target: QuickActionTarget,
): Promise<{ target: QuickActionTarget; current: CurrentState }> => {
  switch (target.kind) {
    case 'issue': {
      const issue = await reloadIssue(ctx, target.issue)
      return { target: { ...target, issue }, current: issue }
    }
    case 'mergeRequest': {
      const mergeRequest = await reloadMergeRequest(ctx, target.mergeRequest)
      return { target: { ...target, mergeRequest }, current: mergeRequest as CurrentState }
    }
    case 'epic': {
      const epic = await reloadEpic(ctx, target.epic)
      return { target: { ...target, epic }, current: epic }
    }
  }
}

/** A quick action that the current user may not execute or that the target does not support. */
export const notApplicableError = (): PlatformError => forbidden('The quick action cannot be applied')

/** Updates the target as its `update` operation does, with the permissions of the current user. */
export const updateTarget = async (
  ctx: Context,
  target: QuickActionTarget,
  update: TargetUpdate,
): Promise<CurrentState> => {
  const { confidential, ...rest } = update
  // The operations' input types have mutable arrays; the operations do not change them.
  const fields: object = rest
  switch (target.kind) {
    case 'issue':
      if (!hasAbility(ctx.actor, target, 'issue.update')) throw notApplicableError()
      return updateIssue(ctx, { ...fields, ...(confidential !== undefined && { confidential }) }, target)
    case 'mergeRequest':
      if (confidential !== undefined || !hasAbility(ctx.actor, target, 'mergeRequest.update'))
        throw notApplicableError()
      return (await updateMergeRequest(ctx, fields, target)) as CurrentState
    case 'epic': {
      const { stateEvent, title } = update
      if (!hasAbility(ctx.actor, target, 'epic.update')) throw notApplicableError()
      if (stateEvent) return setEpicState(ctx, target.epic, stateEvent === 'close' ? 'closed' : 'opened')
      if (title === undefined && confidential === undefined) throw notApplicableError()
      return updateEpic(ctx, { ...(title !== undefined && { title }), ...(confidential && { confidential }) }, target)
    }
  }
}
