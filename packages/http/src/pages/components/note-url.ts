import type { Note } from '@forgelet/core/operations'
import type { PageContext } from '../page-context.ts'

/** The pages of what comments belong to, by its kind. */
const segments: Readonly<Record<string, string>> = {
  Issue: '-/issues',
  MergeRequest: '-/merge_requests',
  Snippet: '-/snippets',
}

/** The address of a comment of a project on the page of its item; undefined for items without a page. */
export const noteUrl = (
  ctx: PageContext,
  project: string,
  { id, noteableType, noteableIid, noteableId }: Note,
): string | undefined => {
  const segment = segments[noteableType]
  const number = noteableIid ?? noteableId
  return segment === undefined || number === null ? undefined : `${ctx.url(project, segment, number)}#note_${id}`
}
