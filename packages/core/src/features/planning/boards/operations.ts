import * as v from 'valibot'
import { container } from '../../../access/subjects.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { PlatformError } from '../../../kernel/errors.ts'
import { atLeastOne, Id } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { type Page, paginate, pagingEntries } from '../../../kernel/paging.ts'
import { defined } from '../../../shared/defined.ts'
import { containerKey } from '../../spaces/members/queries.ts'
import { findLabelByName, toLabelScope } from '../labels/queries.ts'
import { assertBoardMember } from './assignee.ts'
import type { Board } from './board.ts'
import { type BoardRow, completeBoards, getBoard, selectBoards } from './queries.ts'
import { assertReachable, type BoardOwner } from './reach.ts'

const Name = v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(255))

const boardReference = {
  /** Id of the board. */
  board: Id,
}

const reload = async (ctx: Context, owner: BoardOwner, id: number): Promise<Board> =>
  defined((await completeBoards(ctx, owner, [await getBoard(ctx, owner, id)]))[0])

/** Replaces the labels of a board. Names of labels that do not exist are skipped. */
const setLabels = async (ctx: Context, owner: BoardOwner, boardId: number, names: readonly string[]) => {
  const scope = toLabelScope(owner)
  const ids = new Set<number>()
  for (const name of names) {
    const label = await findLabelByName(ctx, scope, name)
    if (label) ids.add(label.id)
  }
  await ctx.db.deleteFrom('boardLabel').where('boardId', '=', boardId).execute()
  if (!ids.size) return
  const rows = [...ids].map((labelId) => ({ boardId, labelId }) satisfies CompleteRow<'boardLabel'>)
  await ctx.db.insertInto('boardLabel').values(rows).execute()
}

const scopeInput = {
  /** Id of the milestone of the issues; null or 0 for any. Requires the paid tier. */
  milestoneId: v.optional(v.nullable(Id)),
  /** Id of the member who is the assignee of the issues; null or 0 for any. Requires the paid tier. */
  assigneeId: v.optional(v.nullable(Id)),
  /** Names of at most 100 labels that the issues have; unknown names are skipped. Requires the paid tier. */
  labels: v.optional(v.pipe(v.array(v.string()), v.maxLength(100))),
  /** Weight of the issues, 0 to 9; null for any. Requires the paid tier. */
  weight: v.optional(v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(9)))),
}

const assertTier = ({ tier }: Context, scope: object) => {
  if (tier === 'free' && Object.values(scope).some((value) => value !== undefined))
    throw new PlatformError('not_licensed', 'The scope of a board requires the paid tier')
}

const fields = ['name', 'hideBacklogList', 'hideClosedList', 'milestoneId', 'assigneeId', 'labels', 'weight'] as const

export const boards = {
  /** Lists the issue boards of a project or a group, oldest first, with their lists. */
  list: query({
    on: container,
    can: 'board.read',
    input: pagingEntries,
    async run(ctx, paging, owner): Promise<Page<Board>> {
      const page = await paginate(selectBoards(ctx, owner).orderBy('id'), paging, (row): BoardRow => row)
      return { ...page, items: await completeBoards(ctx, owner, page.items) }
    },
  }),

  /** Gets an issue board with its lists. */
  get: query({
    on: container,
    can: 'board.read',
    input: boardReference,
    run: (ctx, { board }, owner) => reload(ctx, owner, board),
  }),

  /** Creates an issue board without lists. */
  create: command({
    on: container,
    can: 'board.manage',
    input: {
      /** Name, 1 to 255 characters. */
      name: Name,
    },
    async run(ctx, { name }, owner) {
      const row = await ctx.db
        .insertInto('board')
        .values({
          ...containerKey(owner),
          name,
          hideBacklogList: false,
          hideClosedList: false,
          milestoneId: null,
          assigneeId: null,
          weight: null,
          createdAt: ctx.now,
        } satisfies CompleteRow<'board'>)
        .returning('id')
        .executeTakeFirstOrThrow()
      return reload(ctx, owner, row.id)
    },
  }),

  /** Changes an issue board; omitted fields stay unchanged. */
  update: command({
    on: container,
    can: 'board.manage',
    input: {
      ...boardReference,
      /** Name, 1 to 255 characters. */
      name: v.optional(Name),
      /** Whether to hide the list of open issues without a list of their own. */
      hideBacklogList: v.optional(v.boolean()),
      /** Whether to hide the list of closed issues. */
      hideClosedList: v.optional(v.boolean()),
      ...scopeInput,
    },
    rules: [atLeastOne(...fields)],
    async run(ctx, { board, name, hideBacklogList, hideClosedList, labels, ...scope }, owner) {
      assertTier(ctx, { labels, ...scope })
      const { id } = await getBoard(ctx, owner, board)
      const milestoneId = scope.milestoneId === 0 ? null : scope.milestoneId
      const assigneeId = scope.assigneeId === 0 ? null : scope.assigneeId
      if (milestoneId) await assertReachable(ctx, owner, 'milestone', milestoneId)
      if (assigneeId) await assertBoardMember(ctx, owner, assigneeId)
      const change = { name, hideBacklogList, hideClosedList, milestoneId, assigneeId, weight: scope.weight }
      if (Object.values(change).some((value) => value !== undefined))
        await ctx.db.updateTable('board').set(change).where('id', '=', id).execute()
      if (labels !== undefined) await setLabels(ctx, owner, id, labels)
      return reload(ctx, owner, id)
    },
  }),

  /** Removes an issue board with its lists. */
  remove: command({
    on: container,
    can: 'board.manage',
    input: boardReference,
    async run(ctx, { board }, owner) {
      const { id } = await getBoard(ctx, owner, board)
      await ctx.db.deleteFrom('board').where('id', '=', id).execute()
    },
  }),
}
