import * as v from 'valibot'
import { refuseModified } from '../../kernel/call.ts'
import type { Context } from '../../kernel/context.ts'
import { Instant, instant, Reference, Sort } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { paging } from '../../kernel/paging.ts'
import { may, type Noteable } from '../../policy.ts'
import { isAwardOnly } from '../../ports/markdown/award.ts'
import { userIdOf } from '../issuables/author.ts'
import { takeCommands } from './command-text.ts'
import { obey } from './commands.ts'
import { mentionedIn } from './mentioned.ts'
import type { Note, NoteableKind, Written } from './note.ts'
import { keyOf, note, noteable, targetOf } from './noteable.ts'
import { notePage } from './queries.ts'
import { insertNote, refuseBadBody, toNote, toNotes, touch, withPlace } from './writing.ts'

/** Whether the caller may say when a note was written. */
const mayBackdate = ({ actor }: Context, found: Noteable): boolean => may<NoteableKind>(actor, found, 'note.backdate')

const writing = {
  /** At most 1,000,000 characters; kept as it is. */
  body: v.string(),
  createdAt: v.optional(Instant),
  /** Only for the host application: who writes it. */
  author: v.optional(Reference),
}

const Writing = v.object(writing)

const post = async (
  ctx: Context,
  { body, createdAt, author }: v.InferOutput<typeof Writing>,
  found: Noteable,
): Promise<Note> => {
  refuseBadBody(body, 'create')
  const authorId = await userIdOf(ctx, author)
  const at = createdAt !== undefined && mayBackdate(ctx, found) ? instant(createdAt) : undefined
  const record = await insertNote(ctx, keyOf(found), { authorId, body, system: false, at })
  await touch(ctx, found)
  const written = await toNote(ctx, found, record)
  const mentioned = await mentionedIn(ctx, found, body)
  await ctx.emit('note.created', { note: written, target: targetOf(found), mentioned })
  return isAwardOnly(body) === undefined ? written : withPlace(written, found)
}

export const notes = {
  /** Notes of an issue, a merge request, a project's snippet or an epic. */
  list: query({
    on: noteable,
    can: 'note.list',
    input: {
      ...paging,
      orderBy: v.optional(v.picklist(['created_at', 'updated_at']), 'created_at'),
      sort: v.optional(Sort, 'desc'),
      /** Comments are what people write, activity is what the platform records. */
      activityFilter: v.optional(v.picklist(['all_notes', 'only_comments', 'only_activity']), 'all_notes'),
    },
    async run(ctx, listing, found) {
      const page = await notePage(ctx, keyOf(found), listing)
      return { ...page, items: await toNotes(ctx, found, page.items) }
    },
  }),

  /** One note. */
  get: query({
    on: note,
    can: 'note.read',
    async run(ctx, _input, { noteable, note }) {
      const read = await toNote(ctx, noteable, note)
      return noteable.kind === 'snippet' || noteable.kind === 'epic' ? withPlace(read, noteable) : read
    },
  }),

  /** Writes a note, whose text is kept as it is: see `write` for commands. `createdAt` counts for owners and administrators, and is passed over for everybody else. */
  create: command({
    on: noteable,
    can: 'note.create',
    input: writing,
    run: post,
  }),

  /**
   * Writes a note as people do: lines like `/close` and `/label ~bug` are commands. They are done with the permissions of
   * whoever writes, and are no part of the note; a text of nothing else leaves none. What the host itself writes, and
   * notes of snippets, are kept as they are.
   */
  write: command({
    on: noteable,
    can: 'note.create',
    input: writing,
    async run(ctx, given, found): Promise<Written> {
      if (ctx.actor.kind !== 'user' || found.kind === 'snippet') return { note: await post(ctx, given, found) }
      const { text, commands } = takeCommands(given.body)
      if (!commands.length) return { note: await post(ctx, given, found) }
      refuseBadBody(given.body, 'create')
      if (text === '') {
        const { changes, summary } = await obey(ctx, found, commands)
        return { note: null, commandsChanges: changes, summary: [summary.join(' ')] }
      }
      const note = await post(ctx, { ...given, body: text }, found)
      const { changes } = await obey(ctx, found, commands)
      return { note: { ...note, confidential: changes.confidential ?? note.confidential, commandsChanges: changes } }
    },
  }),

  /** Changes what a note says. */
  update: command({
    on: note,
    can: 'note.update',
    input: { body: v.string() },
    async run(ctx, { body }, { noteable, note }) {
      refuseBadBody(body, 'update')
      await ctx.db.updateTable('note').set({ body, updatedAt: ctx.now }).where('id', '=', note.id).execute()
      await touch(ctx, noteable)
      const written = await toNote(ctx, noteable, { ...note, body, updatedAt: ctx.now })
      const mentioned = await mentionedIn(ctx, noteable, body, note.body)
      await ctx.emit('note.updated', { note: written, target: targetOf(noteable), mentioned })
      return written
    },
  }),

  /** Removes a note. */
  remove: command({
    on: note,
    can: 'note.update',
    async run(ctx, _input, { noteable, note }) {
      refuseModified(ctx, note.updatedAt)
      const removed = await toNote(ctx, noteable, note)
      await ctx.db.deleteFrom('note').where('id', '=', note.id).execute()
      await touch(ctx, noteable)
      await ctx.emit('note.removed', { note: removed, target: targetOf(noteable) })
    },
  }),
}
