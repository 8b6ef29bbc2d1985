import { getUserId } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { formatDiscussionId } from '../../planning/issuables/discussion-id.ts'
import type { DraftNote } from './draft-note.ts'

const columns = [
  'id',
  'authorId',
  'mergeRequestId',
  'resolveDiscussion',
  'discussion',
  'body',
  'commitId',
  'position',
] as const

/** The drafts of the current user on a merge request; all of them for the host application. */
export const selectDrafts = ({ db, actor }: Context, mergeRequestId: number) => {
  const drafts = db.selectFrom('draftNote').where('mergeRequestId', '=', mergeRequestId).select(columns)
  return actor.kind === 'system' ? drafts : drafts.where('authorId', '=', getUserId(actor))
}

export type DraftRow = Awaited<ReturnType<ReturnType<typeof selectDrafts>['executeTakeFirstOrThrow']>>

export const toDraftNote = ({ discussion, body: note, ...row }: DraftRow): DraftNote => ({
  ...row,
  note,
  discussionId: discussion === null ? null : formatDiscussionId(discussion),
})

/** @throws PlatformError `not_found` for a draft of another user or merge request */
export const getDraft = async (ctx: Context, mergeRequestId: number, id: number): Promise<DraftRow> => {
  const row = await selectDrafts(ctx, mergeRequestId).where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound()
  return row
}

export const hasDraft = async ({ db }: Context, mergeRequestId: number, authorId: number): Promise<boolean> => {
  const drafts = db.selectFrom('draftNote').where('mergeRequestId', '=', mergeRequestId)
  return (await drafts.where('authorId', '=', authorId).select('id').executeTakeFirst()) !== undefined
}
