import type { ObjectEntries } from 'valibot'
import type { Noteable, Subjects } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { Id } from '../../../kernel/inputs.ts'
import type { SubjectLoader } from '../../../kernel/operation.ts'
import { oneOf } from '../../../policy/compose-subjects.ts'
import { epic, epicById } from '../../planning/epics/subject.ts'
import { issue } from '../../planning/issues/subject.ts'
import { mergeRequest } from '../merge-requests/subject.ts'
import { projectSnippet } from '../snippets/subject.ts'
import type { NoteableKind, NoteRecord, NoteTarget } from './note.ts'
import { findNote } from './queries.ts'

/** An issue or merge request by its iid, a project's snippet or an epic by its id. */
export const noteable = oneOf(issue, mergeRequest, projectSnippet, epic, epicById)

export type NoteableRef = NonNullable<(typeof noteable)['inputType']>

interface NoteRef {
  /** Id of a note of this issue, merge request, snippet or epic. */
  readonly note: number
}

/** One note of a noteable. A note of another noteable is `not_found`. */
export const note: SubjectLoader<'note', ObjectEntries, NoteableRef & NoteRef> = {
  kinds: ['note'],
  entries: {
    ...noteable.entries,
    /** Id of a note of this issue, merge request, snippet or epic. */
    note: Id,
  },
  ...(noteable.rules && { rules: noteable.rules }),
  async load(ctx, reference) {
    return getNoteSubject(ctx, await noteable.load(ctx, reference), Number(reference.note))
  },
}

/** A note as the subject of permissions. */
export const toNoteSubject = (subject: Noteable, record: NoteRecord): Subjects['note'] => ({
  kind: 'note',
  noteable: subject,
  access: subject.access,
  note: record,
})

/** @throws PlatformError `not_found` for a missing note or one of another noteable */
export const getNoteSubject = async (ctx: Context, subject: Noteable, id: number): Promise<Subjects['note']> => {
  const record = await findNote(ctx, toNoteKey(subject), id)
  if (!record) throw notFound()
  return toNoteSubject(subject, record)
}

/** The foreign key column of notes of this noteable, and its value. */
export const toNoteKey = (subject: Noteable): { readonly column: `${NoteableKind}Id`; readonly id: number } => ({
  column: `${subject.kind}Id`,
  id: toNoteTarget(subject).id,
})

export const toNoteTarget = (subject: Noteable): NoteTarget => {
  switch (subject.kind) {
    case 'issue': {
      const { id, iid, projectId, title, authorId } = subject.issue
      return { kind: 'issue', id, iid, projectId, groupId: null, title, authorId }
    }
    case 'mergeRequest': {
      const { id, iid, projectId, title, authorId } = subject.mergeRequest
      return { kind: 'mergeRequest', id, iid, projectId, groupId: null, title, authorId }
    }
    case 'snippet': {
      const { id, projectId, title, authorId } = subject.snippet
      return { kind: 'snippet', id, iid: null, projectId, groupId: null, title, authorId }
    }
    case 'epic': {
      const { id, iid, groupId, title, authorId } = subject.epic
      return { kind: 'epic', id, iid, projectId: null, groupId, title, authorId }
    }
  }
}
