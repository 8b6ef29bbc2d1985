import type { Context } from '../../kernel/context.ts'
import { type Page, type PagingInput, paginate } from '../../kernel/paging.ts'
import type { Noteable } from '../../policy.ts'
import { userSummaries } from '../accounts/queries.ts'
import type { NoteRecord } from '../notes/note.ts'
import { keyOf } from '../notes/noteable.ts'
import { toNotes } from '../notes/writing.ts'
import { type Discussion, type DiscussionNote, discussionName, type Position } from './discussion.ts'

/** A note with what says how it belongs to others. */
export interface LinkedNote extends NoteRecord {
  discussion: number | null
  resolvedAt: string | null
  resolvedById: number | null
  position: Position | null
}

const notesOn = (ctx: Context, found: Noteable) => {
  const { column, id } = keyOf(found)
  return ctx.db
    .selectFrom('note')
    .leftJoin('discussionNote', 'discussionNote.noteId', 'note.id')
    .where(`note.${column}`, '=', id)
}

const linked = (ctx: Context, found: Noteable, firsts: readonly number[]) =>
  notesOn(ctx, found)
    .where((eb) => eb.or([eb('note.id', 'in', firsts), eb('discussionNote.discussion', 'in', firsts)]))
    .orderBy('note.id')
    .select(['note.id', 'note.authorId', 'note.body', 'note.system', 'note.type'])
    .select(['note.createdAt', 'note.updatedAt'])
    .select(['discussionNote.discussion', 'discussionNote.position'])
    .select(['discussionNote.resolvedAt', 'discussionNote.resolvedById'])

/** Notes of one thing, each with its place in a discussion. */
const complete = async (ctx: Context, found: Noteable, rows: readonly LinkedNote[]): Promise<DiscussionNote[]> => {
  const notes = await toNotes(ctx, found, rows)
  const people = await userSummaries(
    ctx,
    rows.flatMap(({ resolvedById }) => resolvedById ?? []),
  )
  const position = rows.find((row) => row.position !== null)?.position ?? null
  return notes.map((note, at) => {
    const row = rows[at] as LinkedNote
    return {
      ...note,
      resolved: row.resolvedAt !== null,
      resolvedAt: row.resolvedAt,
      resolvedBy: row.resolvedById === null ? null : (people.get(row.resolvedById) ?? null),
      position,
    }
  })
}

const toDiscussions = async (ctx: Context, found: Noteable, firsts: readonly number[]): Promise<Discussion[]> => {
  if (!firsts.length) return []
  const rows: LinkedNote[] = await linked(ctx, found, firsts).execute()
  const discussions: Discussion[] = []
  for (const first of firsts) {
    const own = rows.filter(({ id, discussion }) => (discussion ?? id) === first)
    if (!own.length) continue
    const individualNote = own.every(({ discussion }) => discussion === null)
    discussions.push({ id: discussionName(first), individualNote, notes: await complete(ctx, found, own) })
  }
  return discussions
}

/** A page of the discussions of one thing, the oldest first. */
export async function discussionPage(ctx: Context, found: Noteable, at: PagingInput): Promise<Page<Discussion>> {
  const rows = notesOn(ctx, found)
    .groupBy((eb) => eb.fn.coalesce('discussionNote.discussion', 'note.id'))
    .select((eb) => eb.fn.coalesce('discussionNote.discussion', 'note.id').as('first'))
    .orderBy('first')
  const page = await paginate(rows, at, ({ first }): number => Number(first))
  return { ...page, items: await toDiscussions(ctx, found, page.items) }
}

/** One discussion of one thing by the note that began it. */
export async function findDiscussion(ctx: Context, found: Noteable, first: number): Promise<Discussion | undefined> {
  const [discussion] = await toDiscussions(ctx, found, [first])
  return discussion
}
