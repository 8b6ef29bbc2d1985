import * as v from 'valibot'
import { container, instance } from '../../../access/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { Id } from '../../../kernel/inputs.ts'
import { query } from '../../../kernel/operation.ts'
import { loadVisible } from '../../../policy/visible.ts'
import { defined } from '../../../shared/defined.ts'
import { formatDiscussionId, parseDiscussionId } from '../../planning/issuables/discussion-id.ts'
import { note, noteable } from '../notes/noteable.ts'
import type { DiscussionLocation, ItemReference, MilestoneLocation, NoteLocation } from './reference.ts'

const itemKinds = ['issue', 'mergeRequest', 'snippet', 'epic'] as const

type ItemKind = (typeof itemKinds)[number]

/** The input that identifies an item in its project or group, without a permission check. */
const findReference = async ({ db }: Context, kind: ItemKind, id: number): Promise<ItemReference | undefined> => {
  if (kind === 'epic') {
    const row = await db.selectFrom('epic').where('id', '=', id).select(['groupId', 'iid']).executeTakeFirst()
    return row && { group: row.groupId, epic: row.iid }
  }
  if (kind === 'snippet') {
    const row = await db.selectFrom('snippet').where('id', '=', id).select('projectId').executeTakeFirst()
    return row?.projectId == null ? undefined : { project: row.projectId, snippet: id }
  }
  const row = await db.selectFrom(kind).where('id', '=', id).select(['projectId', 'iid']).executeTakeFirst()
  if (!row) return undefined
  return kind === 'issue'
    ? { project: row.projectId, issue: row.iid }
    : { project: row.projectId, mergeRequest: row.iid }
}

const findItemOfNote = async (ctx: Context, id: number): Promise<ItemReference | undefined> => {
  const row = await ctx.db
    .selectFrom('note')
    .where('id', '=', id)
    .select(['issueId', 'mergeRequestId', 'snippetId', 'epicId'])
    .executeTakeFirst()
  const kind = itemKinds.find((candidate) => row?.[`${candidate}Id`] != null)
  return kind && findReference(ctx, kind, defined(row?.[`${kind}Id`]))
}

/** @throws PlatformError `not_found` for a missing note, and one that the current user cannot read */
const locateNote = async (ctx: Context, id: number): Promise<NoteLocation> => {
  const item = await findItemOfNote(ctx, id)
  if (!item) throw notFound()
  await loadVisible(ctx, note, { ...item, note: id })
  const row = await ctx.db.selectFrom('discussionNote').where('noteId', '=', id).select('discussion').executeTakeFirst()
  return { item, note: id, discussion: formatDiscussionId(row?.discussion ?? id) }
}

/**
 * Finds objects by their ids on the instance: the results are the input of the operations on them. Objects that the current user
 * cannot see are `not_found`.
 */
export const globalIds = {
  /** Finds an issue, a merge request, a snippet of a project or an epic. */
  findItem: query({
    on: instance,
    can: 'globalId.find',
    input: {
      /** Kind of the item. */
      kind: v.picklist(itemKinds),
      /** Id, not iid, of the item. */
      id: Id,
    },
    async run(ctx, { kind, id }): Promise<ItemReference> {
      const reference = await findReference(ctx, kind, id)
      if (!reference) throw notFound()
      await loadVisible(ctx, noteable, { ...reference })
      return reference
    },
  }),

  /** Finds a note. */
  findNote: query({
    on: instance,
    can: 'globalId.find',
    input: {
      /** Id of the note. */
      id: Id,
    },
    run: (ctx, { id }): Promise<NoteLocation> => locateNote(ctx, id),
  }),

  /** Finds a discussion. */
  findDiscussion: query({
    on: instance,
    can: 'globalId.find',
    input: {
      /** Id of the discussion, 40 hexadecimal digits. */
      id: v.pipe(v.string(), v.maxLength(40)),
    },
    async run(ctx, { id }): Promise<DiscussionLocation> {
      const firstNoteId = parseDiscussionId(id)
      if (firstNoteId === undefined) throw notFound('Discussion')
      const row = await ctx.db
        .selectFrom('discussionNote')
        .where('discussion', '=', firstNoteId)
        .orderBy('noteId')
        .select('noteId')
        .limit(1)
        .executeTakeFirst()
      const { item, discussion } = await locateNote(ctx, row?.noteId ?? firstNoteId)
      if (discussion !== id) throw notFound('Discussion')
      return { item, discussion }
    },
  }),

  /** Finds the project or the group of a milestone. */
  findMilestone: query({
    on: instance,
    can: 'globalId.find',
    input: {
      /** Id of the milestone. */
      id: Id,
    },
    async run(ctx, { id }): Promise<MilestoneLocation> {
      const row = await ctx.db
        .selectFrom('milestone')
        .where('id', '=', id)
        .select(['projectId', 'groupId'])
        .executeTakeFirst()
      if (!row) throw notFound()
      await loadVisible(ctx, container, {
        ...(row.projectId === null ? { group: defined(row.groupId) } : { project: row.projectId }),
      })
      return row
    },
  }),
}
