import { expressionBuilder } from 'kysely'
import * as v from 'valibot'
import { withGrants } from '../../../access/grants.ts'
import { readableEpics } from '../../../access/predicates.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { conflict, notFound } from '../../../kernel/errors.ts'
import { Id } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { type Page, type PagingInput, paginate, pagingEntries } from '../../../kernel/paging.ts'
import { assertAbility } from '../../../policy/authorize.ts'
import { loadVisible } from '../../../policy/visible.ts'
import type { Epic, EpicRecord } from '../epics/epic.ts'
import { reload } from '../epics/mutations.ts'
import { childOrder, linkChild, unlinkChild } from '../epics/parent.ts'
import { completeEpics, epicColumns } from '../epics/queries.ts'
import { epic, epicById } from '../epics/subject.ts'
import { moveItem } from '../issuables/positions.ts'

const childInput = {
  /** Id, not iid, of the child. */
  childEpic: Id,
}

const listChildren = async (ctx: Context, parentId: number, paging: PagingInput): Promise<Page<Epic>> => {
  const readable = readableEpics(await withGrants(ctx))
  const rows = ctx.db
    .selectFrom('epicLink')
    .innerJoin('epic', 'epic.id', 'epicLink.id')
    .innerJoin('namespace', 'namespace.id', 'epic.groupId')
    .where('epicLink.parentId', '=', parentId)
    .where(readable(expressionBuilder()))
    .orderBy('epicLink.relativePosition')
    .orderBy('epicLink.id')
    .select(epicColumns)
  const page = await paginate(rows, paging, (row): EpicRecord => row)
  return { ...page, items: await completeEpics(ctx, page.items) }
}

/** An epic of a group or its subgroups that the current user can read. @throws PlatformError `not_found` for another one */
const loadBelow = async (ctx: Context, { group }: Subjects['epic'], id: number): Promise<Subjects['epic']> => {
  const found = await ctx.db
    .selectFrom('epic')
    .innerJoin('namespaceLineage', 'namespaceLineage.namespaceId', 'epic.groupId')
    .where('epic.id', '=', id)
    .where('namespaceLineage.ancestorId', '=', group.id)
    .select('epic.groupId')
    .executeTakeFirst()
  if (!found) throw notFound('Epic')
  return loadVisible(ctx, epicById, { group: found.groupId, epicId: id })
}

/** @throws PlatformError `not_found` for an epic that is no child of the subject, or that the current user cannot read */
const loadChild = async (ctx: Context, subject: Subjects['epic'], id: number): Promise<EpicRecord> => {
  const links = ctx.db.selectFrom('epicLink').where('id', '=', id).where('parentId', '=', subject.epic.id)
  if (!(await links.select('id').executeTakeFirst())) throw notFound('Epic')
  return (await loadBelow(ctx, subject, id)).epic
}

/** The epics below other epics. */
export const childEpics = {
  /** Lists the children of an epic that the current user can read, in their manual order. */
  list: query({
    on: epic,
    can: 'epic.read',
    tier: 'paid',
    input: pagingEntries,
    run: (ctx, paging, { epic }) => listChildren(ctx, epic.id, paging),
  }),

  /**
   * Makes an epic of the group or its subgroups, which the current user may update, the first child of an epic. A child of another
   * epic leaves it.
   *
   * @throws PlatformError `not_found` for an epic of another group or an invisible one, `conflict` for a child of the epic, `invalid`
   * for the epic itself and those above it, and for more than seven levels
   */
  assign: command({
    on: epic,
    can: 'epic.update',
    tier: 'paid',
    input: childInput,
    async run(ctx, { childEpic }, subject) {
      const child = await loadBelow(ctx, subject, childEpic)
      assertAbility(ctx.actor, child, 'epic.update')
      if (!(await linkChild(ctx, subject.epic.id, childEpic))) throw conflict('Epic(s) already assigned')
      return reload(ctx, child.epic)
    },
  }),

  /**
   * Moves a child of an epic, and returns a page of the children in their new order. Without a neighbor, nothing changes.
   *
   * @throws PlatformError `not_found` for an epic that is no child
   */
  reorder: command({
    on: epic,
    can: 'epic.update',
    tier: 'paid',
    input: {
      ...pagingEntries,
      ...childInput,
      /** Id of the child that comes directly before the moved one. */
      moveBeforeId: v.optional(Id),
      /** Id of the child that comes directly after the moved one. Ignored with `moveBeforeId`. */
      moveAfterId: v.optional(Id),
    },
    async run(ctx, { childEpic, moveBeforeId: before, moveAfterId: after, ...paging }, subject) {
      await loadChild(ctx, subject, childEpic)
      const parentId = subject.epic.id
      if (before !== undefined || after !== undefined)
        await moveItem(ctx, childOrder(parentId), childEpic, { before, after })
      return listChildren(ctx, parentId, paging)
    },
  }),

  /** Removes a child from an epic, and returns it. It stays in its group, without a parent. */
  remove: command({
    on: epic,
    can: 'epic.update',
    tier: 'paid',
    input: childInput,
    async run(ctx, { childEpic }, subject): Promise<Epic> {
      const child = await loadChild(ctx, subject, childEpic)
      await unlinkChild(ctx, childEpic)
      return reload(ctx, child)
    },
  }),
}
