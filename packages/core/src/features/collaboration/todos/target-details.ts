import { withGrants } from '../../../access/grants.ts'
import { readableNotes } from '../../../access/predicates.ts'
import { getUserId } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { defined } from '../../../shared/defined.ts'
import { completeEpics, epicColumns } from '../../planning/epics/queries.ts'
import { completeIssues, issueColumns } from '../../planning/issues/queries.ts'
import { completeMergeRequests, mergeRequestColumns } from '../merge-requests/queries.ts'
import type { EpicTarget, IssueTarget, MergeRequestTarget, Participation } from './todo.ts'
import type { TodoTargetKind } from './todo-target.ts'

type Ids = readonly number[]

/** Number of comments per target that the current user can read, and whether the current user wrote one of them. */
const readNoteCounts = async (ctx: Context, kind: TodoTargetKind, ids: Ids) => {
  const column = `note.${kind}Id` as const
  const rows = await ctx.db
    .selectFrom('note')
    .where(column, 'in', ids)
    .where('system', '=', false)
    .where(readableNotes(await withGrants(ctx), [kind]))
    .groupBy(column)
    .select((eb) => [
      `${column} as targetId`,
      eb.fn.countAll<number>().as('count'),
      eb.fn.max(eb.case().when('authorId', '=', getUserId(ctx.actor)).then(1).else(0).end()).as('hasOwn'),
    ])
    .execute()
  return new Map(
    rows.map((row) => [defined(row.targetId), { count: Number(row.count), hasOwn: Number(row.hasOwn) === 1 }]),
  )
}

/** Ids of the targets on which the current user was mentioned. */
const findMentioned = async (ctx: Context, kind: TodoTargetKind, ids: Ids): Promise<ReadonlySet<number | null>> => {
  const column = `todo.${kind}Id` as const
  const rows = await ctx.db
    .selectFrom('todo')
    .where(column, 'in', ids)
    .where('userId', '=', getUserId(ctx.actor))
    .where('action', 'in', ['mentioned', 'directly_addressed'])
    .select(`${column} as targetId`)
    .execute()
  return new Set(rows.map(({ targetId }) => targetId))
}

interface TargetRecord {
  readonly id: number
  readonly authorId: number
  readonly assignees?: readonly { readonly id: number }[]
}

const withParticipation = async <T extends TargetRecord>(
  ctx: Context,
  kind: TodoTargetKind,
  targets: readonly T[],
): Promise<ReadonlyMap<number, T & Participation>> => {
  if (!targets.length) return new Map()
  const ids = targets.map(({ id }) => id)
  const currentUserId = getUserId(ctx.actor)
  const notes = await readNoteCounts(ctx, kind, ids)
  const mentioned = await findMentioned(ctx, kind, ids)
  const isParticipant = ({ id, authorId, assignees = [] }: TargetRecord) =>
    authorId === currentUserId ||
    assignees.some((assignee) => assignee.id === currentUserId) ||
    mentioned.has(id) ||
    notes.get(id)?.hasOwn === true
  return new Map(
    targets.map((target) => [
      target.id,
      { ...target, subscribed: isParticipant(target), userNotesCount: notes.get(target.id)?.count ?? 0 },
    ]),
  )
}

export const distinctIds = (ids: readonly (number | null)[]): number[] => [...new Set(ids.filter((id) => id !== null))]

export async function readIssueTargets(
  ctx: Context,
  issueIds: readonly (number | null)[],
): Promise<ReadonlyMap<number, IssueTarget>> {
  const ids = distinctIds(issueIds)
  if (!ids.length) return new Map()
  const rows = await ctx.db.selectFrom('issue').where('id', 'in', ids).select(issueColumns).execute()
  return withParticipation(ctx, 'issue', await completeIssues(ctx, rows))
}

export async function readMergeRequestTargets(
  ctx: Context,
  mergeRequestIds: readonly (number | null)[],
): Promise<ReadonlyMap<number, MergeRequestTarget>> {
  const ids = distinctIds(mergeRequestIds)
  if (!ids.length) return new Map()
  const rows = await ctx.db.selectFrom('mergeRequest').where('id', 'in', ids).select(mergeRequestColumns).execute()
  return withParticipation(ctx, 'mergeRequest', await completeMergeRequests(ctx, rows))
}

export async function readEpicTargets(
  ctx: Context,
  epicIds: readonly (number | null)[],
): Promise<ReadonlyMap<number, EpicTarget>> {
  const ids = distinctIds(epicIds)
  if (!ids.length) return new Map()
  const rows = await ctx.db.selectFrom('epic').where('id', 'in', ids).select(epicColumns).execute()
  return withParticipation(ctx, 'epic', await completeEpics(ctx, rows))
}
