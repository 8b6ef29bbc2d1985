import { personId } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { completeEpics, epicColumns } from '../epics/queries.ts'
import { completeIssues, issueColumns } from '../issues/queries.ts'
import { completeMergeRequests, mergeRequestColumns } from '../merge-requests/queries.ts'
import type { TodoTargetKind } from './target.ts'
import type { Attention, EpicTarget, IssueTarget, MergeRequestTarget } from './todo.ts'

type Ids = readonly number[]

/** Comments on each thing, and whether the reader wrote any of them. */
const discussions = async (ctx: Context, kind: TodoTargetKind, ids: Ids) => {
  const column = `note.${kind}Id` as const
  const rows = await ctx.db
    .selectFrom('note')
    .where(column, 'in', ids)
    .where('system', '=', false)
    .groupBy(column)
    .select((eb) => [
      `${column} as of`,
      eb.fn.countAll<number>().as('count'),
      eb.fn.max(eb.case().when('authorId', '=', personId(ctx.actor)).then(1).else(0).end()).as('own'),
    ])
    .execute()
  return new Map(rows.map(({ of, count, own }) => [of as number, { count: Number(count), own: Number(own) === 1 }]))
}

/** Things on which the reader was mentioned. */
const mentionedOn = async (ctx: Context, kind: TodoTargetKind, ids: Ids): Promise<ReadonlySet<number | null>> => {
  const column = `todo.${kind}Id` as const
  const rows = await ctx.db
    .selectFrom('todo')
    .where(column, 'in', ids)
    .where('userId', '=', personId(ctx.actor))
    .where('action', 'in', ['mentioned', 'directly_addressed'])
    .select(`${column} as of`)
    .execute()
  return new Set(rows.map(({ of }) => of))
}

interface Thing {
  readonly id: number
  readonly authorId: number
  readonly assignees?: readonly { readonly id: number }[]
}

const attended = async <T extends Thing>(
  ctx: Context,
  kind: TodoTargetKind,
  things: readonly T[],
): Promise<ReadonlyMap<number, T & Attention>> => {
  if (!things.length) return new Map()
  const ids = things.map(({ id }) => id)
  const me = personId(ctx.actor)
  const notes = await discussions(ctx, kind, ids)
  const mentioned = await mentionedOn(ctx, kind, ids)
  const takesPart = ({ id, authorId, assignees = [] }: Thing) =>
    authorId === me || assignees.some((person) => person.id === me) || mentioned.has(id) || notes.get(id)?.own === true
  return new Map(
    things.map((thing) => [
      thing.id,
      { ...thing, subscribed: takesPart(thing), userNotesCount: notes.get(thing.id)?.count ?? 0 },
    ]),
  )
}

const present = (ids: readonly (number | null)[]): number[] => [...new Set(ids.filter((id) => id !== null))]

export async function issueTargets(
  ctx: Context,
  given: readonly (number | null)[],
): Promise<ReadonlyMap<number, IssueTarget>> {
  const ids = present(given)
  if (!ids.length) return new Map()
  const rows = await ctx.db.selectFrom('issue').where('id', 'in', ids).select(issueColumns).execute()
  return attended(ctx, 'issue', await completeIssues(ctx, rows))
}

export async function mergeRequestTargets(
  ctx: Context,
  given: readonly (number | null)[],
): Promise<ReadonlyMap<number, MergeRequestTarget>> {
  const ids = present(given)
  if (!ids.length) return new Map()
  const rows = await ctx.db.selectFrom('mergeRequest').where('id', 'in', ids).select(mergeRequestColumns).execute()
  return attended(ctx, 'mergeRequest', await completeMergeRequests(ctx, rows))
}

export async function epicTargets(
  ctx: Context,
  given: readonly (number | null)[],
): Promise<ReadonlyMap<number, EpicTarget>> {
  const ids = present(given)
  if (!ids.length) return new Map()
  const rows = await ctx.db.selectFrom('epic').where('id', 'in', ids).select(epicColumns).execute()
  return attended(ctx, 'epic', await completeEpics(ctx, rows))
}
