import type { Context } from '../../../kernel/context.ts'
import { today } from '../../../kernel/context.ts'
import { hasAbility } from '../../../policy/authorize.ts'
import { parseNaturalDate } from '../../../shared/natural-date.ts'
import { formatWorkDuration } from '../../../shared/work-duration.ts'
import { healthStatuses } from '../../planning/issues/issue.ts'
import { maxWeight } from '../../planning/issues/mutations.ts'
import type { IssuableSubject } from '../merge-requests/issuable.ts'
import { addSpent, resetEstimate, resetSpent, setEstimate } from '../time-tracking/mutations.ts'
import type { TimeStats } from '../time-tracking/time-stats.ts'
import { findEpic } from './epics.ts'
import { onIssuable, onIssue } from './handler.ts'
import { notApplicableError, updateTarget } from './target.ts'

export const setWeight = onIssue(async (ctx, target, argument) => {
  const weight = /^\d{1,10}$/.test(argument) ? Number(argument) : undefined
  if (weight === undefined || weight > maxWeight) throw notApplicableError()
  await updateTarget(ctx, target, { weight })
  return { changes: { weight }, message: `Set weight to ${weight}.` }
})

export const clearWeight = onIssue(async (ctx, target, _argument, current) => {
  if (current.weight == null) throw notApplicableError()
  await updateTarget(ctx, target, { weight: null })
  return { changes: { weight: null }, message: 'Cleared weight.' }
})

export const setHealth = onIssue(async (ctx, target, argument) => {
  const healthStatus = healthStatuses.find((status) => status === argument.toLowerCase())
  if (healthStatus === undefined) throw notApplicableError()
  await updateTarget(ctx, target, { healthStatus })
  return { changes: { healthStatus }, message: `Set health status to ${healthStatus}.` }
})

export const clearHealth = onIssue(async (ctx, target, _argument, current) => {
  if (current.healthStatus == null) throw notApplicableError()
  await updateTarget(ctx, target, { healthStatus: null })
  return { changes: { healthStatus: null }, message: 'Cleared health status.' }
})

export const setDueDate = onIssue(async (ctx, target, argument) => {
  const dueDate = parseNaturalDate(argument, today(ctx))
  if (dueDate === undefined) throw notApplicableError()
  await updateTarget(ctx, target, { dueDate })
  return { changes: { dueDate }, message: `Set the due date to ${dueDate}.` }
})

export const removeDueDate = onIssue(async (ctx, target, _argument, current) => {
  if (current.dueDate == null) throw notApplicableError()
  await updateTarget(ctx, target, { dueDate: null })
  return { changes: { dueDate: null }, message: 'Removed the due date.' }
})

/** `&1` is an epic of the group of the project. */
export const setEpic = onIssue(async (ctx, target, argument) => {
  const { epic } = await findEpic(ctx, argument, target.project.namespaceId)
  await updateTarget(ctx, target, { epicId: epic.id })
  return { changes: { epicId: epic.id }, message: `Added an issue to an epic.` }
})

export const removeEpic = onIssue(async (ctx, target, _argument, current) => {
  if (!current.epic) throw notApplicableError()
  await updateTarget(ctx, target, { epicId: null })
  return { changes: { epicId: null }, message: 'Removed an issue from an epic.' }
})

export const promoteToIncident = onIssue(async (ctx, target) => {
  if (target.issue.issueType === 'incident') throw notApplicableError()
  await updateTarget(ctx, target, { issueType: 'incident' })
  return { changes: { issueType: 'incident' }, message: 'Issue has been promoted to incident.' }
})

const track = (ctx: Context, target: IssuableSubject, work: () => Promise<TimeStats>): Promise<TimeStats> => {
  if (!hasAbility<'issue' | 'mergeRequest'>(ctx.actor, target, 'timeTracking.manage')) throw notApplicableError()
  return work()
}

export const estimate = onIssuable(async (ctx, target, argument) => {
  const { timeEstimate } = await track(ctx, target, () => setEstimate(ctx, target, argument))
  return { changes: { timeEstimate }, message: `Set time estimate to ${formatWorkDuration(timeEstimate) || '0h'}.` }
})

export const removeEstimate = onIssuable(async (ctx, target, _argument, current) => {
  if (!current.timeEstimate) throw notApplicableError()
  await track(ctx, target, () => resetEstimate(ctx, target))
  return { changes: { timeEstimate: 0 }, message: 'Removed time estimate.' }
})

/** The duration can be followed by the day of the work, which is not in the future. */
export const spend = onIssuable(async (ctx, target, argument, current) => {
  const [, duration = argument, spentAt] = /^(.*?)\s+(\d{4}-\d{2}-\d{2})$/.exec(argument) ?? []
  if (spentAt !== undefined && (parseNaturalDate(spentAt, today(ctx)) === undefined || spentAt > today(ctx)))
    throw notApplicableError()
  const before = current.totalTimeSpent ?? 0
  const { totalTimeSpent } = await track(ctx, target, () => addSpent(ctx, target, { duration, spentAt }))
  const seconds = totalTimeSpent - before
  const verb = seconds < 0 ? 'Subtracted' : 'Added'
  return {
    changes: { spendTime: { duration: seconds, spentAt: spentAt ?? today(ctx) } },
    message: `${verb} ${formatWorkDuration(Math.abs(seconds)) || '0h'} spent time.`,
  }
})

export const removeTimeSpent = onIssuable(async (ctx, target, _argument, current) => {
  if (!current.totalTimeSpent) throw notApplicableError()
  await track(ctx, target, () => resetSpent(ctx, target))
  return {
    changes: { spendTime: { duration: -current.totalTimeSpent, spentAt: today(ctx) } },
    message: 'Removed spent time.',
  }
})
