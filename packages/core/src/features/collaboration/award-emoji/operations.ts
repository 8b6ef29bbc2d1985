import type { ObjectEntries } from 'valibot'
import * as v from 'valibot'
import type { Noteable, Subjects } from '../../../contract/subjects.ts'
import { Id } from '../../../kernel/inputs.ts'
import { command, query, type SubjectLoader } from '../../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../../kernel/paging.ts'
import { getSettings } from '../../administration/settings/queries.ts'
import { getNoteSubject, type NoteableRef, noteable, toNoteKey } from '../notes/noteable.ts'
import { addAward, getAward, removeAward } from './mutations.ts'
import { type Awardable, selectAwards, toAward } from './queries.ts'

type AwardableRef = NoteableRef & {
  /** Id of a note of the item, for the emoji of the note. Default: none, for those of the item itself. */
  readonly note?: number
}

/** An issue, a merge request, a project's snippet or an epic, or a note of one. */
const awardable: SubjectLoader<Noteable['kind'] | 'note', ObjectEntries, AwardableRef> = {
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
const toAwardable = (subject: Noteable | Subjects['note']): Awardable =>
  subject.kind === 'note' ? { column: 'noteId', id: subject.note.id } : toNoteKey(subject)

const awardInput = {
  /** Id of an emoji of the item. */
  award: Id,
}

/** The emoji that users give to items and notes. */
export const awardEmoji = {
  /** Lists the emoji of an item or a note, oldest first. */
  list: query({
    on: awardable,
    can: 'emoji.read',
    input: pagingEntries,
    async run(ctx, paging, subject) {
      const target = toAwardable(subject)
      return paginate(selectAwards(ctx, target), paging, toAward(await getSettings(ctx), target))
    },
  }),

  /** Gets an emoji of an item or a note. */
  get: query({
    on: awardable,
    can: 'emoji.read',
    input: awardInput,
    run: (ctx, { award }, subject) => getAward(ctx, toAwardable(subject), award),
  }),

  /** Gives an emoji to an item or a note. Giving the same emoji again changes nothing. */
  create: command({
    on: awardable,
    can: 'emoji.award',
    serializes: 'project',
    input: {
      /** Emoji name without colons, such as `thumbsup`: 1 to 100 characters of `a-z`, `0-9`, `_`, `+` and `-`. */
      name: v.pipe(v.string(), v.regex(/^[a-z0-9_+-]{1,100}$/)),
      /** Id or username of the user who gives the emoji: required for calls of the host, `forbidden` for users. */
      user: v.optional(v.union([v.number(), v.string()])),
    },
    run: (ctx, input, subject) => addAward(ctx, toAwardable(subject), input),
  }),

  /** Removes an emoji of the current user from an item or a note; administrators remove any. */
  remove: command({
    on: awardable,
    can: 'emoji.award',
    serializes: 'project',
    input: awardInput,
    run: (ctx, { award }, subject) => removeAward(ctx, toAwardable(subject), award),
  }),
}
