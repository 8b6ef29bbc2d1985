import type { Project } from '../../../../contract/project.ts'
import type { Signals } from '../../../../contract/signals.ts'
import type { Context } from '../../../../kernel/context.ts'
import type { Note } from '../../../collaboration/notes/note.ts'
import { notesById } from '../../../collaboration/notes/queries.ts'
import type { HookPayload } from '../delivery.ts'
import { buildEnvelope, type PayloadContext, toProjectUrl } from './common.ts'
import { buildNoteProperty, type CommentedKind, findCommented } from './note.ts'

type EmojiAward = Signals['emoji.awarded']

/** The item that has the emoji, or the comment with the emoji and its item. */
interface AwardedItem {
  readonly projectId: number | null
  readonly kind: CommentedKind
  readonly id: number
  readonly note: Note | undefined
}

const commentedKinds: Readonly<Record<string, CommentedKind>> = {
  Issue: 'issue',
  MergeRequest: 'mergeRequest',
  Snippet: 'snippet',
}

/** Finds the item of an emoji; undefined for one of an epic. */
export const findAwardedItem = async (
  ctx: Context,
  { issueId, mergeRequestId, noteId, snippetId }: EmojiAward,
): Promise<AwardedItem | undefined> => {
  const note = noteId === null ? undefined : (await notesById(ctx, [noteId])).get(noteId)
  const noteKind = note && commentedKinds[note.noteableType]
  const item =
    note && noteKind
      ? { kind: noteKind, id: note.noteableId }
      : issueId !== null
        ? { kind: 'issue' as const, id: issueId }
        : mergeRequestId !== null
          ? { kind: 'mergeRequest' as const, id: mergeRequestId }
          : snippetId !== null
            ? { kind: 'snippet' as const, id: snippetId }
            : undefined
  if (!item) return undefined
  const row = await ctx.db.selectFrom(item.kind).where('id', '=', item.id).select('projectId').executeTakeFirst()
  return row && { ...item, note, projectId: row.projectId }
}

const awardableTypes = { issue: 'Issue', mergeRequest: 'MergeRequest', snippet: 'Snippet' } as const

/** An emoji that was awarded or revoked. */
export const buildEmojiEvent = async (
  payload: PayloadContext,
  project: Project,
  {
    action,
    award,
    item,
  }: { readonly action: 'award' | 'revoke'; readonly award: EmojiAward; readonly item: AwardedItem },
): Promise<HookPayload | undefined> => {
  const commented = await findCommented(payload, project, item)
  if (!commented) return undefined
  const { user, project: projectProperty } = await buildEnvelope(payload, project, award.userId)
  const { note } = item
  return {
    object_kind: 'emoji',
    event_type: action,
    user,
    project_id: project.id,
    project: projectProperty,
    object_attributes: {
      user_id: award.userId,
      created_at: award.createdAt,
      updated_at: award.createdAt,
      id: award.id,
      name: award.name,
      awardable_type: note ? 'Note' : awardableTypes[item.kind],
      awardable_id: note?.id ?? item.id,
      action,
      awarded_on_url: `${toProjectUrl(payload.site, project)}/-/${commented.path}${note ? `#note_${note.id}` : ''}`,
    },
    ...(note && { note: await buildNoteProperty(payload, project, note, commented.path) }),
    ...commented.property,
  }
}
