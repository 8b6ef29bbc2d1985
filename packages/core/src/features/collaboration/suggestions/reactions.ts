import { defineReaction } from '../../../kernel/reaction.ts'
import { selectOpenFrom } from '../merge-requests/queries.ts'

/** A push to a source branch can move or change the lines of suggestions. */
export const locateAfterPush = defineReaction('code.pushed', async (ctx, { projectId, push }) => {
  if (push.refType !== 'branch' || push.ref === null) return
  const open = await selectOpenFrom(ctx, projectId, push.ref)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('suggestion')
          .innerJoin('note', 'note.id', 'suggestion.noteId')
          .whereRef('note.mergeRequestId', '=', 'mergeRequest.id')
          .select('suggestion.id'),
      ),
    )
    .select(['projectId', 'iid'])
    .execute()
  for (const { projectId: id, iid } of open)
    await ctx.enqueue('suggestions.locate', { projectId: id, iid }, { key: `${id}!${iid}` })
})
