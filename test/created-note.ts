import type { DiscussionNote, ExecutedQuickActions, Note } from '@forgelet/core/operations'

/** The note that a call created. Fails if the text contained only quick actions. */
export const noteOf = async <N extends Note | DiscussionNote>(
  creation: Promise<N | ExecutedQuickActions>,
): Promise<N> => {
  const created = await creation
  if (created.id === null) throw new Error('No note was created')
  return created
}
