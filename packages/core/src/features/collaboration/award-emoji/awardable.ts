import type { ObjectEntries } from 'valibot'
import * as v from 'valibot'
import type { Noteable, Subjects } from '../../../contract/subjects.ts'
import { Id } from '../../../kernel/inputs.ts'
import type { SubjectLoader } from '../../../kernel/operation.ts'
import { getNoteSubject, type NoteableRef, noteable, toNoteKey } from '../notes/noteable.ts'
import type { Awardable } from './queries.ts'

type AwardableRef = NoteableRef & {
  /** Id of a note of the item, for the emoji of the note. Default: none, for those of the item itself. */
  readonly note?: number
}

/** An issue, a merge request, a project's snippet or an epic, or a note of one. */
export const awardable: SubjectLoader<Noteable['kind'] | 'note', ObjectEntries, AwardableRef> = {
  kinds: [...noteable.kinds, 'note'],
  entries: {
    ...noteable.entries,
    /** Id of a note of the item, for the emoji of the note. Default: none, for those of the item itself. */
    note: v.optional(Id),
  },
  ...(noteable.rules && { rules: noteable.rules }),
  async load(ctx, reference) {
    const item = await noteable.load(ctx, reference)
    return reference.note === undefined ? item : getNoteSubject(ctx, item, Number(reference.note))
  },
}

/** The foreign key column of the emoji of this item, and its value. */
export const toAwardable = (subject: Noteable | Subjects['note']): Awardable =>
  subject.kind === 'note' ? { column: 'noteId', id: subject.note.id } : toNoteKey(subject)
