import * as v from 'valibot'
import { personId } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { invalid, invalidInput, notFound } from '../../kernel/errors.ts'
import { atLeastOne, Instant, instant, Reference } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { paging } from '../../kernel/paging.ts'
import { may, type Noteable } from '../../policy.ts'
import { userIdOf } from '../issuables/author.ts'
import { mergeRequest } from '../merge-requests/subject.ts'
import { mentionedIn } from '../notes/mentioned.ts'
import type { NoteableKind } from '../notes/note.ts'
import { keyOf, note, noteable, targetOf } from '../notes/noteable.ts'
import { insertNote, refuseBadBody, toNote, touch } from '../notes/writing.ts'
import { type Discussion, type DiscussionNote, discussionNumber, type Position } from './discussion.ts'
import { discussionPage, findDiscussion } from './queries.ts'

const Name = v.pipe(v.string(), v.maxLength(40))
const Sha = v.pipe(v.string(), v.regex(/^[0-9a-f]{40}$/, 'is invalid'))
const Line = v.optional(v.nullable(v.pipe(v.number(), v.safeInteger(), v.minValue(1))))
const Path = v.optional(v.nullable(v.pipe(v.string(), v.maxLength(8_192))))

const PositionInput = v.strictObject({
  baseSha: Sha,
  startSha: Sha,
  headSha: Sha,
  positionType: v.optional(v.picklist(['text', 'image', 'file']), 'text'),
  oldPath: Path,
  newPath: Path,
  oldLine: Line,
  newLine: Line,
})

const writing = {
  /** At most 1,000,000 characters; kept as it is. */
  body: v.string(),
  createdAt: v.optional(Instant),
  /** Only for the host application: who writes it. */
  author: v.optional(Reference),
}

const toPosition = (given: v.InferOutput<typeof PositionInput>): Position => {
  const { oldPath = null, newPath = null, oldLine = null, newLine = null, ...rest } = given
  return { ...rest, oldPath: oldPath ?? newPath, newPath: newPath ?? oldPath, oldLine, newLine }
}

const refuseBadPosition = (found: Noteable, position: Position | undefined) => {
  if (position === undefined) return
  if (found.kind !== 'mergeRequest') throw invalidInput([{ fields: ['position'], message: 'is invalid' }])
  const placed = position.newPath !== null
  const onLine = position.positionType !== 'text' || position.oldLine !== null || position.newLine !== null
  if (!placed || !onLine) throw invalidInput([{ fields: ['position'], message: 'is incomplete' }])
}

interface Written {
  readonly body: string
  readonly createdAt?: string | undefined
  readonly author?: number | string | undefined
}

/** Writes a note as part of a discussion; of its own when none is named. Answers which discussion that is. */
const write = async (
  ctx: Context,
  found: Noteable,
  { body, createdAt, author }: Written,
  { discussion, position }: { discussion?: number; position?: Position | null | undefined },
): Promise<{ readonly discussion: number; readonly noteId: number }> => {
  refuseBadBody(body, 'create')
  const authorId = await userIdOf(ctx, author)
  const backdated = createdAt !== undefined && may<NoteableKind>(ctx.actor, found, 'note.backdate')
  const at = backdated ? instant(createdAt) : undefined
  const type = position ? 'DiffNote' : 'DiscussionNote'
  const record = await insertNote(ctx, keyOf(found), { authorId, body, system: false, type, at })
  const first = discussion ?? record.id
  await link(ctx, record.id, first, discussion === undefined ? position : undefined)
  await touch(ctx, found)
  const written = await toNote(ctx, found, record)
  await ctx.emit('note.created', {
    note: written,
    target: targetOf(found),
    mentioned: await mentionedIn(ctx, found, body),
  })
  return { discussion: first, noteId: record.id }
}

/** Makes a note part of a discussion. */
const link = async (ctx: Context, noteId: number, discussion: number, position?: Position | null) => {
  await ctx.db
    .insertInto('discussionNote')
    .values({ noteId, discussion, resolvedAt: null, resolvedById: null, position: position ?? null })
    .onConflict((known) => known.doNothing())
    .execute()
}

/** A note that stood by itself becomes the first one of a discussion. */
const begin = async (ctx: Context, noteId: number) => {
  await ctx.db.updateTable('note').set({ type: 'DiscussionNote' }).where('id', '=', noteId).execute()
  await link(ctx, noteId, noteId)
}

const findNamed = async (ctx: Context, found: Noteable, name: string): Promise<Discussion & { first: number }> => {
  const first = discussionNumber(name)
  const discussion = first === undefined ? undefined : await findDiscussion(ctx, found, first)
  if (first === undefined || discussion === undefined) throw notFound('Discussion')
  return { ...discussion, first }
}

const settle = async (ctx: Context, notes: readonly { id: number; resolvable: boolean }[], resolved: boolean) => {
  const ids = notes.filter(({ resolvable }) => resolvable).map(({ id }) => id)
  if (!ids.length) throw invalid('The discussion cannot be resolved')
  await ctx.db
    .updateTable('discussionNote')
    .set({ resolvedAt: resolved ? ctx.now : null, resolvedById: resolved ? personId(ctx.actor) || null : null })
    .where('noteId', 'in', ids)
    .execute()
}

const noteOf = (discussion: Discussion, id: number): DiscussionNote => {
  const found = discussion.notes.find((one) => one.id === id)
  if (found === undefined) throw notFound('')
  return found
}

/** Notes that answer one another. A note that nobody has answered is a discussion of its own. */
export const discussions = {
  /** Discussions of an issue, a merge request, a project's snippet or an epic, the oldest first. */
  list: query({
    on: noteable,
    can: 'note.list',
    input: paging,
    run: (ctx, at, found) => discussionPage(ctx, found, at),
  }),

  /** One discussion. */
  get: query({
    on: noteable,
    can: 'note.list',
    input: { discussion: Name },
    async run(ctx, { discussion }, found): Promise<Discussion> {
      const { first: _, ...told } = await findNamed(ctx, found, discussion)
      return told
    },
  }),

  /** Begins a discussion, on a merge request also at a place in its changes. */
  create: command({
    on: noteable,
    can: 'note.create',
    input: { ...writing, position: v.optional(PositionInput) },
    async run(ctx, { position: given, ...written }, found) {
      const position = given && toPosition(given)
      refuseBadPosition(found, position)
      const { discussion } = await write(ctx, found, written, { position })
      return (await findDiscussion(ctx, found, discussion)) as Discussion
    },
  }),

  /** Answers in a discussion. A note that stood by itself begins one so. */
  reply: command({
    on: noteable,
    can: 'note.create',
    input: { ...writing, discussion: Name },
    async run(ctx, { discussion: name, ...written }, found) {
      const known = await findNamed(ctx, found, name)
      if (known.individualNote) await begin(ctx, known.first)
      const position = known.notes[0]?.position
      const { noteId } = await write(ctx, found, written, { discussion: known.first, position })
      return noteOf((await findDiscussion(ctx, found, known.first)) as Discussion, noteId)
    },
  }),

  /** Settles a discussion of a merge request, or opens it again. */
  resolve: command({
    on: mergeRequest,
    can: 'discussion.resolve',
    input: { discussion: Name, resolved: v.boolean() },
    async run(ctx, { discussion, resolved }, subject) {
      const { first, notes } = await findNamed(ctx, subject, discussion)
      await settle(ctx, notes, resolved)
      return (await findDiscussion(ctx, subject, first)) as Discussion
    },
  }),

  /** Changes what a note of a discussion says. */
  updateNote: command({
    on: note,
    can: 'note.update',
    input: { discussion: Name, body: v.optional(v.string()), resolved: v.optional(v.boolean()) },
    rules: [atLeastOne('body', 'resolved')],
    async run(ctx, { discussion: name, body, resolved }, { noteable: found, note }) {
      const discussion = await findNamed(ctx, found, name)
      const own = noteOf(discussion, note.id)
      if (body !== undefined) {
        refuseBadBody(body, 'update')
        await ctx.db.updateTable('note').set({ body, updatedAt: ctx.now }).where('id', '=', note.id).execute()
        await touch(ctx, found)
        const written = await toNote(ctx, found, { ...note, body, updatedAt: ctx.now })
        const mentioned = await mentionedIn(ctx, found, body, note.body)
        await ctx.emit('note.updated', { note: written, target: targetOf(found), mentioned })
      }
      if (resolved !== undefined) await settle(ctx, [own], resolved)
      return noteOf((await findDiscussion(ctx, found, discussion.first)) as Discussion, note.id)
    },
  }),

  /** Removes a note of a discussion, and the discussion with its last one. */
  removeNote: command({
    on: note,
    can: 'note.update',
    input: { discussion: Name },
    async run(ctx, { discussion }, { noteable: found, note }) {
      noteOf(await findNamed(ctx, found, discussion), note.id)
      const removed = await toNote(ctx, found, note)
      await ctx.db.deleteFrom('note').where('id', '=', note.id).execute()
      await touch(ctx, found)
      await ctx.emit('note.removed', { note: removed, target: targetOf(found) })
    },
  }),
}
