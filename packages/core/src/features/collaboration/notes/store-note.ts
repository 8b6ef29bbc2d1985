import type { Noteable } from '../../../contract/subjects.ts'
import { awaitAll } from '../../../kernel/await-all.ts'
import type { Context } from '../../../kernel/context.ts'
import { hasAbility } from '../../../policy/authorize.ts'
import { resolveAuthorId } from '../../planning/issuables/author.ts'
import { readCreationTime } from '../../planning/issuables/backdating.ts'
import { findMentionedUsers } from './mentions.ts'
import { assertValidBody, insertNote, toNote, touchNoteable } from './mutations.ts'
import type { Note, NoteableKind, NoteRecord, NoteType } from './note.ts'
import { toNoteKey, toNoteSubject, toNoteTarget } from './noteable.ts'

export interface NewNoteContent {
  readonly body: string
  /** Ignored unless the current user is an owner or administrator. Default: now. */
  readonly createdAt?: string | undefined
  /** For the host application only. Default: the current user. */
  readonly author?: number | string | undefined
  readonly internal: boolean
}

interface NoteForm {
  /** A record of a change instead of a comment. */
  readonly system?: boolean
  readonly type?: NoteType
}

/**
 * Stores a note that a caller wrote.
 *
 * @throws PlatformError `invalid` for a blank or too long body
 */
export const storeNote = async (
  ctx: Context,
  subject: Noteable,
  { body, createdAt, author, internal }: NewNoteContent,
  { system = false, type }: NoteForm = {},
): Promise<NoteRecord> => {
  assertValidBody(body, 'create')
  const authorId = await resolveAuthorId(ctx, author)
  const mayBackdate = () => hasAbility<NoteableKind>(ctx.actor, subject, 'note.backdate')
  return insertNote(ctx, toNoteKey(subject), {
    authorId,
    body,
    system,
    internal,
    ...(type && { type }),
    createdAt: readCreationTime(createdAt, mayBackdate),
  })
}

/** Updates the noteable of a new comment, and emits the signal. */
export const announceNote = async (ctx: Context, subject: Noteable, record: NoteRecord): Promise<Note> => {
  const [note, mentioned] = await awaitAll([
    toNote(ctx, subject, record),
    findMentionedUsers(ctx, toNoteSubject(subject, record), record.body),
  ])
  await awaitAll([
    touchNoteable(ctx, subject),
    ctx.emit('note.created', { note, target: toNoteTarget(subject), mentioned }),
  ])
  return note
}
