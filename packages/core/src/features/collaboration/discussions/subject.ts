import type { ObjectEntries } from 'valibot'
import { Id } from '../../../kernel/inputs.ts'
import type { SubjectLoader } from '../../../kernel/operation.ts'
import { oneOf } from '../../../policy/compose-subjects.ts'
import { epic, epicById } from '../../planning/epics/subject.ts'
import { issue } from '../../planning/issues/subject.ts'
import { commit, commitComment } from '../commit-comments/subject.ts'
import { mergeRequest } from '../merge-requests/subject.ts'
import { note } from '../notes/noteable.ts'
import { projectSnippet } from '../snippets/subject.ts'

/** What has discussions: the items that have notes, and commits. */
export const discussable = oneOf(issue, mergeRequest, projectSnippet, epic, epicById, commit)

const commitNote: Pick<SubjectLoader<'commitComment', ObjectEntries>, 'load'> = commitComment

interface NoteRef {
  /** Id of a note of the discussion. */
  readonly note: number
}

/** A note of one of them. */
export const discussedNote: SubjectLoader<
  'note' | 'commitComment',
  ObjectEntries,
  NonNullable<(typeof discussable)['inputType']> & NoteRef
> = {
  kinds: ['note', 'commitComment'],
  entries: {
    ...discussable.entries,
    /** Id of a note of the discussion. */
    note: Id,
  },
  ...(discussable.rules && { rules: discussable.rules }),
  kindOf: ({ commit }) => (commit === undefined ? 'note' : 'commitComment'),
  load: (ctx, reference) =>
    reference.commit === undefined ? note.load(ctx, reference) : commitNote.load(ctx, reference),
}
