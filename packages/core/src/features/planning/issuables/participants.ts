import type { Kysely } from 'kysely'
import { withGrants } from '../../../access/grants.ts'
import { readableNotes } from '../../../access/predicates.ts'
import type { Context } from '../../../kernel/context.ts'
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

/** Whether a user is subscribed: by choice, otherwise as a participant. The id 0 is that of no user. */
export const isSubscribed = async (ctx: Context, issuable: IssuableKey, userId: number): Promise<boolean> => {
  if (userId === 0) return false
  const choice = await ctx.db
    .selectFrom('subscription')
    .where(relationTables[issuable.kind].key, '=', issuable.id)
    .where('userId', '=', userId)
    .select('subscribed')
    .executeTakeFirst()
  if (choice) return choice.subscribed
  const participants = await selectParticipantIds(ctx, issuable)
  const row = await ctx.db
    .selectFrom(participants.as('participant'))
    .where('participant.userId', '=', userId)
    .select('participant.userId')
    .executeTakeFirst()
  return row !== undefined
}
