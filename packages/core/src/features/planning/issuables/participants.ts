import type { Kysely } from 'kysely'
import { withGrants } from '../../../access/grants.ts'
import { readableNotes } from '../../../access/predicates.ts'
import { awaitAll } from '../../../kernel/await-all.ts'
import type { Context } from '../../../kernel/context.ts'
import { defined } from '../../../shared/defined.ts'
import { type IssuableKind, relationTables } from './relations.ts'

/** An issue or merge request: its kind, id and author. */
export interface IssuableKey {
  readonly kind: IssuableKind
  readonly id: number
  readonly authorId: number
}

/** Ids of the author, the assignees, the reviewers and the authors of the comments that the current user can read, in one query. */
export const selectParticipantIds = async (ctx: Context, { kind, id, authorId }: IssuableKey) => {
  const { key, assignees } = relationTables[kind]
  const readable = readableNotes(await withGrants(ctx), [kind])
  const reviewers = ctx.db
    .selectFrom('mergeRequestReviewer')
    .where('mergeRequestId', '=', kind === 'mergeRequest' ? id : 0)
    .select('userId')
  return ctx.db
    .selectFrom('user')
    .where('user.id', '=', authorId)
    .select('user.id as userId')
    .union(
      // biome-ignore lint/suspicious/noExplicitAny: the assignees of issues or of merge requests
      (ctx.db as Kysely<any>).selectFrom(assignees).where(key, '=', id).select('userId').$castTo<{ userId: number }>(),
    )
    .union(reviewers)
    .union(
      ctx.db
        .selectFrom('note')
        .where(`note.${key}`, '=', id)
        .where('note.system', '=', false)
        .where(readable)
        .select('note.authorId as userId'),
    )
}

/** Ids of the items of these that a user is assigned to, reviews, has commented on or was mentioned on, in one query. */
const findInvolvements = async (
  ctx: Context,
  kind: IssuableKind | 'epic',
  ids: readonly number[],
  userId: number,
): Promise<ReadonlySet<number | null>> => {
  const key = `${kind}Id` as const
  const readable = readableNotes(await withGrants(ctx), [kind])
  const commented = ctx.db
    .selectFrom('note')
    .where(`note.${key}`, 'in', ids)
    .where('note.authorId', '=', userId)
    .where('note.system', '=', false)
    .where(readable)
    .select(`note.${key} as id`)
  const mentioned = ctx.db
    .selectFrom('todo')
    .where(`todo.${key}`, 'in', ids)
    .where('todo.userId', '=', userId)
    .where('todo.action', 'in', ['mentioned', 'directly_addressed'])
    .select(`todo.${key} as id`)
  let rows = commented.union(mentioned)
  if (kind === 'issue')
    rows = rows.union(
      ctx.db
        .selectFrom('issueAssignee')
        .where('issueId', 'in', ids)
        .where('userId', '=', userId)
        .select('issueId as id')
        .$castTo<{ id: number | null }>(),
    )
  if (kind === 'mergeRequest')
    for (const table of ['mergeRequestAssignee', 'mergeRequestReviewer'] as const)
      rows = rows.union(
        ctx.db
          .selectFrom(table)
          .where('mergeRequestId', 'in', ids)
          .where('userId', '=', userId)
          .select('mergeRequestId as id')
          .$castTo<{ id: number | null }>(),
      )
  return new Set((await rows.execute()).map(({ id }) => id))
}

/** The choices of a user for some of these items. */
const findChoices = async (ctx: Context, kind: IssuableKind | 'epic', ids: readonly number[], userId: number) => {
  const key = `${kind}Id` as const
  const rows = await ctx.db
    .selectFrom('subscription')
    .where(key, 'in', ids)
    .where('userId', '=', userId)
    .select([`${key} as id`, 'subscribed'])
    .execute()
  return new Map(rows.map(({ id, subscribed }) => [id, subscribed]))
}

/**
 * Adds to each item whether a user is subscribed to it: by choice, otherwise as a participant. The id 0 is that of no user. The
 * number of queries does not depend on the number of items.
 */
export const withSubscribed = async <T extends { readonly id: number; readonly authorId: number }>(
  ctx: Context,
  kind: IssuableKind | 'epic',
  items: readonly T[],
  userId: number,
): Promise<(T & { subscribed: boolean })[]> => {
  if (userId === 0 || !items.length) return items.map((item) => ({ ...item, subscribed: false }))
  const ids = items.map(({ id }) => id)
  const [choices, involvements] = await awaitAll([
    findChoices(ctx, kind, ids, userId),
    findInvolvements(ctx, kind, ids, userId),
  ])
  return items.map((item) => ({
    ...item,
    subscribed: choices.get(item.id) ?? (item.authorId === userId || involvements.has(item.id)),
  }))
}

/** Whether a user is subscribed, as `withSubscribed` adds it. */
export const isSubscribed = async (
  ctx: Context,
  { kind, ...item }: Omit<IssuableKey, 'kind'> & { readonly kind: IssuableKind | 'epic' },
  userId: number,
): Promise<boolean> => defined((await withSubscribed(ctx, kind, [item], userId))[0]).subscribed
