import type { Context } from '../../../kernel/context.ts'
import { isPlatformError } from '../../../kernel/errors.ts'
import { hasAbility } from '../../../policy/authorize.ts'
import { singleEmojiName } from '../../../ports/markdown/single-emoji.ts'
import { healthStatuses } from '../../planning/issues/issue.ts'
import { maxWeight } from '../../planning/issues/mutations.ts'
import { findLabel, toLabelScope } from '../../planning/labels/queries.ts'
import { addAward } from '../award-emoji/mutations.ts'
import { findMentionedUsers } from './mentions.ts'
import type { QuickActionChanges } from './note.ts'
import { toNoteKey, toNoteTarget } from './noteable.ts'
import { type QuickAction, type QuickActionName, splitWords } from './quick-action-parser.ts'
import {
  type CurrentState,
  notApplicableError,
  type QuickActionTarget,
  reloadTarget,
  targetNouns,
  updateTarget,
} from './quick-action-target.ts'

export interface QuickActionResult {
  readonly changes: QuickActionChanges
  /** One sentence per quick action, including those that could not be applied. */
  readonly summary: readonly string[]
}

interface QuickActionEffect {
  readonly changes: QuickActionChanges
  readonly message: string
}

type QuickActionHandler = (
  ctx: Context,
  target: QuickActionTarget,
  argument: string,
  current: CurrentState,
) => Promise<QuickActionEffect>

const createStateHandler =
  (stateEvent: 'close' | 'reopen', from: string, verb: string): QuickActionHandler =>
  async (ctx, target, _argument, current) => {
    if (current.state !== from) throw notApplicableError()
    await updateTarget(ctx, target, { stateEvent })
    return { changes: { stateEvent }, message: `${verb} this ${targetNouns[target.kind]}.` }
  }

const createLockHandler =
  (discussionLocked: boolean): QuickActionHandler =>
  async (ctx, target) => {
    await updateTarget(ctx, target, { discussionLocked })
    return { changes: { discussionLocked }, message: `${discussionLocked ? 'Locked' : 'Unlocked'} the discussion.` }
  }

/** Looks up usernames as mentions, which excludes users who cannot read the target. */
const findAssigneeIds = async (ctx: Context, target: QuickActionTarget, argument: string): Promise<number[]> => {
  const username = ctx.actor.kind === 'user' ? ctx.actor.username : ''
  const words = splitWords(argument, '@').map((word) => `@${word === 'me' ? username : word}`)
  return (await findMentionedUsers(ctx, target, words.join(' '))).map(({ userId }) => userId)
}

const assigneeIdsOf = (current: CurrentState): readonly number[] => (current.assignees ?? []).map(({ id }) => id)

const formatAssignees = (current: CurrentState, ids: readonly number[]): string =>
  (current.assignees ?? [])
    .filter(({ id }) => ids.includes(id))
    .map(({ username }) => `@${username}`)
    .join(' ')

const assign: QuickActionHandler = async (ctx, target, argument, current) => {
  const added = await findAssigneeIds(ctx, target, argument)
  if (!added.length) throw notApplicableError()
  const after = await updateTarget(ctx, target, { assignees: [...assigneeIdsOf(current), ...added] })
  return { changes: { assigneeIds: assigneeIdsOf(after) }, message: `Assigned ${formatAssignees(after, added)}.` }
}

const unassign: QuickActionHandler = async (ctx, target, argument, current) => {
  const removed = argument === '' ? assigneeIdsOf(current) : await findAssigneeIds(ctx, target, argument)
  const leaving = formatAssignees(current, removed)
  if (leaving === '') throw notApplicableError()
  const after = await updateTarget(ctx, target, {
    assignees: assigneeIdsOf(current).filter((id) => !removed.includes(id)),
  })
  return { changes: { assigneeIds: assigneeIdsOf(after) }, message: `Removed assignee ${leaving}.` }
}

interface LabelSummary {
  readonly id: number
  readonly name: string
}

/** Finds existing labels; quick actions do not create labels. */
const findLabels = async (
  ctx: Context,
  target: QuickActionTarget,
  argument: string,
): Promise<readonly LabelSummary[]> => {
  if (target.kind === 'epic') throw notApplicableError()
  const scope = toLabelScope({ kind: 'project', project: target.project, access: target.access })
  const labels: LabelSummary[] = []
  for (const word of splitWords(argument, '~')) {
    const label = await ignorePlatformError(findLabel(ctx, scope, /^\d{1,15}$/.test(word) ? Number(word) : word))
    if (label) labels.push(label)
  }
  if (!labels.length) throw notApplicableError()
  return labels
}

const formatLabels = (labels: readonly LabelSummary[]): string =>
  `${labels.map(({ name }) => (name.includes(' ') ? `~"${name}"` : `~${name}`)).join(' ')} ${labels.length > 1 ? 'labels' : 'label'}`

const labelIdsOf = (labels: readonly LabelSummary[]) => labels.map(({ id }) => id)
const labelNamesOf = (labels: readonly LabelSummary[]) => labels.map(({ name }) => name)

const label: QuickActionHandler = async (ctx, target, argument) => {
  const labels = await findLabels(ctx, target, argument)
  await updateTarget(ctx, target, { addLabels: labelNamesOf(labels) })
  return { changes: { addLabelIds: labelIdsOf(labels) }, message: `Added ${formatLabels(labels)}.` }
}

const unlabel: QuickActionHandler = async (ctx, target, argument, current) => {
  if (argument === '') {
    if (!current.labels?.length) throw notApplicableError()
    await updateTarget(ctx, target, { labels: [] })
    return { changes: { labelIds: [] }, message: 'Removed all labels.' }
  }
  const labels = (await findLabels(ctx, target, argument)).filter(({ name }) => current.labels?.includes(name))
  if (!labels.length) throw notApplicableError()
  await updateTarget(ctx, target, { removeLabels: labelNamesOf(labels) })
  return { changes: { removeLabelIds: labelIdsOf(labels) }, message: `Removed ${formatLabels(labels)}.` }
}

const relabel: QuickActionHandler = async (ctx, target, argument) => {
  const labels = await findLabels(ctx, target, argument)
  await updateTarget(ctx, target, { labels: labelNamesOf(labels) })
  return { changes: { labelIds: labelIdsOf(labels) }, message: `Replaced all labels with ${formatLabels(labels)}.` }
}

const setMilestone: QuickActionHandler = async (ctx, target, argument) => {
  const title = /^%?"[^"]*"$/.test(argument) ? splitWords(argument, '%')[0] : argument.replace(/^%/, '')
  if (!title) throw notApplicableError()
  const { milestone } = await updateTarget(ctx, target, { milestone: title })
  return { changes: { milestoneId: milestone?.id ?? null }, message: `Set the milestone to %"${title}".` }
}

const removeMilestone: QuickActionHandler = async (ctx, target, _argument, current) => {
  if (!current.milestone) throw notApplicableError()
  await updateTarget(ctx, target, { milestone: null })
  return { changes: { milestoneId: null }, message: `Removed %"${current.milestone.title}" milestone.` }
}

const setWeight: QuickActionHandler = async (ctx, target, argument) => {
  const weight = /^\d{1,10}$/.test(argument) ? Number(argument) : undefined
  if (target.kind !== 'issue' || weight === undefined || weight > maxWeight) throw notApplicableError()
  await updateTarget(ctx, target, { weight })
  return { changes: { weight }, message: `Set weight to ${weight}.` }
}

const clearWeight: QuickActionHandler = async (ctx, target, _argument, current) => {
  if (current.weight == null) throw notApplicableError()
  await updateTarget(ctx, target, { weight: null })
  return { changes: { weight: null }, message: 'Cleared weight.' }
}

const setHealth: QuickActionHandler = async (ctx, target, argument) => {
  const healthStatus = healthStatuses.find((status) => status === argument.toLowerCase())
  if (target.kind !== 'issue' || healthStatus === undefined) throw notApplicableError()
  await updateTarget(ctx, target, { healthStatus })
  return { changes: { healthStatus }, message: `Set health status to ${healthStatus}.` }
}

const clearHealth: QuickActionHandler = async (ctx, target, _argument, current) => {
  if (current.healthStatus == null) throw notApplicableError()
  await updateTarget(ctx, target, { healthStatus: null })
  return { changes: { healthStatus: null }, message: 'Cleared health status.' }
}

const makeConfidential: QuickActionHandler = async (ctx, target) => {
  await updateTarget(ctx, target, { confidential: true })
  return { changes: { confidential: true }, message: `Made this ${targetNouns[target.kind]} confidential.` }
}

const setTitle: QuickActionHandler = async (ctx, target, argument) => {
  await updateTarget(ctx, target, { title: argument })
  return { changes: { title: argument }, message: `Changed the title to "${argument}".` }
}

const award: QuickActionHandler = async (ctx, target, argument) => {
  const name = singleEmojiName(argument)
  if (name === undefined || target.kind === 'epic') throw notApplicableError()
  if (!hasAbility<'issue' | 'mergeRequest'>(ctx.actor, target, 'emoji.award')) throw notApplicableError()
  await addAward(ctx, toNoteKey(target), { name })
  return { changes: { emojiAward: name }, message: `Gave :${name}:.` }
}

const createTodoHandler =
  (todoEvent: 'add' | 'done'): QuickActionHandler =>
  async (ctx, target) => {
    const allowed = hasAbility<QuickActionTarget['kind']>(ctx.actor, target, 'todo.create')
    if (ctx.actor.kind !== 'user' || !allowed) throw notApplicableError()
    await ctx.emit('todo.requested', { target: toNoteTarget(target), userId: ctx.actor.id, done: todoEvent === 'done' })
    return {
      changes: { todoEvent },
      message: todoEvent === 'add' ? 'Added a to-do item.' : 'Marked to-do item as done.',
    }
  }

const handlers: Readonly<Record<QuickActionName, QuickActionHandler>> = {
  close: createStateHandler('close', 'opened', 'Closed'),
  reopen: createStateHandler('reopen', 'closed', 'Reopened'),
  assign,
  unassign,
  label,
  unlabel,
  relabel,
  milestone: setMilestone,
  remove_milestone: removeMilestone,
  weight: setWeight,
  clear_weight: clearWeight,
  health_status: setHealth,
  clear_health_status: clearHealth,
  todo: createTodoHandler('add'),
  done: createTodoHandler('done'),
  lock: createLockHandler(true),
  unlock: createLockHandler(false),
  confidential: makeConfidential,
  title: setTitle,
  award,
}

/** Undefined for a platform error. Operations throw these before their first write, so nothing is partially done. */
const ignorePlatformError = async <T>(work: Promise<T>): Promise<T | undefined> => {
  try {
    return await work
  } catch (error) {
    if (isPlatformError(error)) return undefined
    throw error
  }
}

/** Executes quick actions in order. Actions that are not permitted or not applicable are skipped and reported. */
export async function executeQuickActions(
  ctx: Context,
  initialTarget: QuickActionTarget,
  actions: readonly QuickAction[],
): Promise<QuickActionResult> {
  let changes: QuickActionChanges = {}
  const summary: string[] = []
  for (const { name, argument } of actions) {
    const { target, current } = await reloadTarget(ctx, initialTarget)
    const effect = await ignorePlatformError(handlers[name](ctx, target, argument, current))
    if (effect) changes = { ...changes, ...effect.changes }
    summary.push(effect?.message ?? `Could not apply ${name} command.`)
  }
  return { changes, summary }
}
