import type { Context } from '../../../kernel/context.ts'
import { forbidden, type PlatformError } from '../../../kernel/errors.ts'
import { hasAbility } from '../../../policy/authorize.ts'
import type { Epic } from '../../planning/epics/epic.ts'
import { reload as reloadEpic, updateEpic } from '../../planning/epics/mutations.ts'
import type { HealthStatus, Issue, IssueType } from '../../planning/issues/issue.ts'
import { reload as reloadIssue, updateIssue } from '../../planning/issues/mutations.ts'
import type { QuickActionTarget } from '../../planning/quick-actions/request.ts'
import type { MergeRequest } from '../merge-requests/merge-request.ts'
import { updateMergeRequest } from '../merge-requests/mutations.ts'
import { reload as reloadMergeRequest } from '../merge-requests/state.ts'
import { mayTriage } from '../merge-requests/triage-access.ts'

export interface TargetUpdate {
  readonly stateEvent?: 'close' | 'reopen'
  readonly title?: string
  readonly confidential?: boolean
  readonly discussionLocked?: boolean
  readonly labels?: readonly string[]
  readonly addLabels?: readonly string[]
  readonly removeLabels?: readonly string[]
  readonly assignees?: readonly number[]
  readonly reviewers?: readonly number[]
  readonly milestone?: number | string | null
  readonly dueDate?: string | null
  readonly weight?: number | null
  readonly healthStatus?: HealthStatus | null
  readonly issueType?: IssueType
  readonly epicId?: number | null
  readonly targetBranch?: string
}

/** The fields that quick actions read. Each kind of item has the required ones. */
export type CurrentState = Pick<Issue, 'state' | 'title' | 'labels'> &
  Partial<Pick<Issue, 'assignees' | 'dueDate' | 'epic' | 'healthStatus' | 'milestone' | 'timeEstimate' | 'weight'>> &
  Partial<Pick<Issue, 'totalTimeSpent'> & Pick<MergeRequest, 'reviewers'> & Pick<Epic, 'parent'>>

export const targetNouns = { issue: 'issue', mergeRequest: 'merge request', epic: 'epic' } as const

/** Reloads the target, because an earlier quick action of the text may have changed it. */
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
      return { target: { ...target, mergeRequest }, current: toState(mergeRequest) }
    }
    case 'epic': {
      const epic = await reloadEpic(ctx, target.epic)
      return { target: { ...target, epic }, current: epic }
    }
  }
}

const toState = ({ state, title, labels, assignees, milestone, ...rest }: MergeRequest): CurrentState => {
  const { timeEstimate, totalTimeSpent, reviewers } = rest
  // No quick action reads whether it is merged: those that compare the state apply to open and closed ones.
  return {
    ...{ title, labels, assignees, milestone, timeEstimate, totalTimeSpent, reviewers },
    state: state === 'opened' ? 'opened' : 'closed',
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
      if (!hasAbility(ctx.actor, target, 'mergeRequest.update') || !mayTriage(ctx, target, update))
        throw notApplicableError()
      return toState(await updateMergeRequest(ctx, fields, target))
    case 'epic':
      if (!hasAbility(ctx.actor, target, 'epic.update')) throw notApplicableError()
      return updateEpic(ctx, { ...fields, ...(confidential !== undefined && { confidential }) }, target)
  }
}
