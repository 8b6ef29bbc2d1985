import type { Subjects } from '../../../contract/subjects.ts'
import { getUserId } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { splitWords } from '../../planning/quick-actions/parser.ts'
import type { QuickActionTarget } from '../../planning/quick-actions/request.ts'
import { requestReviewAgain } from '../merge-request-approvals/review.ts'
import { findMentionedUsers } from '../notes/mentions.ts'
import { insertNote } from '../notes/mutations.ts'
import { toNoteKey } from '../notes/noteable.ts'
import { type NewTodo, openTodos } from '../todos/mutations.ts'
import { toTargetKey } from '../todos/todo-target.ts'
import { onMergeRequest, type QuickActionHandler } from './handler.ts'
import { type CurrentState, notApplicableError, updateTarget } from './target.ts'

type Role = 'assignees' | 'reviewers'

/** Looks up usernames as mentions, which excludes users who cannot read the target. */
const findUserIds = async (ctx: Context, target: QuickActionTarget, argument: string): Promise<readonly number[]> => {
  const username = ctx.actor.kind === 'user' ? ctx.actor.username : ''
  const words = splitWords(argument, '@').map((word) => `@${word === 'me' ? username : word}`)
  const ids = (await findMentionedUsers(ctx, target, words.join(' '))).map(({ userId }) => userId)
  if (!ids.length) throw notApplicableError()
  return ids
}

const idsOf = (current: CurrentState, role: Role): readonly number[] => (current[role] ?? []).map(({ id }) => id)

const formatUsers = (current: CurrentState, role: Role, ids: readonly number[]): string =>
  (current[role] ?? [])
    .filter(({ id }) => ids.includes(id))
    .map(({ username }) => `@${username}`)
    .join(' ')

const setUsers = async (ctx: Context, target: QuickActionTarget, role: Role, ids: readonly number[]) => {
  const after = await updateTarget(ctx, target, role === 'assignees' ? { assignees: ids } : { reviewers: ids })
  const all = idsOf(after, role)
  return { after, changes: role === 'assignees' ? { assigneeIds: all } : { reviewerIds: all } }
}

const createAdder =
  (role: Role, verb: string): QuickActionHandler =>
  async (ctx, target, argument, current) => {
    const added = await findUserIds(ctx, target, argument)
    const { after, changes } = await setUsers(ctx, target, role, [...idsOf(current, role), ...added])
    const names = formatUsers(after, role, added)
    // Authors who are no members of the project have no effect on its users.
    if (names === '') throw notApplicableError()
    return { changes, message: `${verb} ${names}.` }
  }

const createReplacer =
  (role: Role, verb: string): QuickActionHandler =>
  async (ctx, target, argument) => {
    const { after, changes } = await setUsers(ctx, target, role, await findUserIds(ctx, target, argument))
    return { changes, message: `${verb} ${formatUsers(after, role, idsOf(after, role))}.` }
  }

const createRemover =
  (role: Role, noun: string): QuickActionHandler =>
  async (ctx, target, argument, current) => {
    const removed = argument === '' ? idsOf(current, role) : await findUserIds(ctx, target, argument)
    const leaving = formatUsers(current, role, removed)
    if (leaving === '') throw notApplicableError()
    const remaining = idsOf(current, role).filter((id) => !removed.includes(id))
    const { changes } = await setUsers(ctx, target, role, remaining)
    return { changes, message: `Removed ${noun} ${leaving}.` }
  }

export const assign = createAdder('assignees', 'Assigned')
export const reassign = createReplacer('assignees', 'Changed assignees to')
export const unassign = createRemover('assignees', 'assignee')
const addReviewers = createAdder('reviewers', 'Requested a review from')

/** Resets the reviews of reviewers, who get a to-do item. */
const requestAgain = async (ctx: Context, target: Subjects['mergeRequest'], ids: readonly number[], names: string) => {
  if (!ids.length) return
  const authorId = getUserId(ctx.actor)
  for (const userId of ids) await requestReviewAgain(ctx, target, userId)
  await openTodos(
    ctx,
    ids.map((userId): NewTodo => ({ userId, authorId, action: 'review_requested', target: toTargetKey(target) })),
  )
  const body = `requested review from ${names.replaceAll(' ', ', ')}`
  await insertNote(ctx, toNoteKey(target), { authorId, body, system: true })
}

/** Users who are reviewers already are asked again. */
export const assignReviewer = onMergeRequest(async (ctx, target, argument, current) => {
  const effect = await addReviewers(ctx, target, argument, current)
  const named = await findUserIds(ctx, target, argument)
  const again = idsOf(current, 'reviewers').filter((id) => named.includes(id))
  await requestAgain(ctx, target, again, formatUsers(current, 'reviewers', again))
  return effect
})
export const reassignReviewer = createReplacer('reviewers', 'Changed reviewers to')
export const unassignReviewer = createRemover('reviewers', 'reviewer')
