import * as v from 'valibot'
import { container } from '../../../access/subjects.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import { invalid, PlatformError } from '../../../kernel/errors.ts'
import { exactlyOne, Id } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { type Page, paginate, pagingEntries } from '../../../kernel/paging.ts'
import { defined } from '../../../shared/defined.ts'
import { assertBoardMember } from '../boards/assignee.ts'
import type { BoardList } from '../boards/board.ts'
import { completeLists, getBoard, getList, type ListRow, selectLists } from '../boards/queries.ts'
import { assertReachable, type BoardOwner } from '../boards/reach.ts'

/** More lists of a board would be of no use, and all of them are part of the board. */
const maxLists = 100

const boardReference = {
  /** Id of the board. */
  board: Id,
}

const listReference = {
  ...boardReference,
  /** Id of the list. */
  list: Id,
}

interface Criterion {
  readonly labelId?: number | undefined
  readonly milestoneId?: number | undefined
  readonly assigneeId?: number | undefined
}

const assertCriterion = async (ctx: Context, owner: BoardOwner, { labelId, milestoneId, assigneeId }: Criterion) => {
  if (ctx.tier === 'free' && labelId === undefined)
    throw new PlatformError('not_licensed', 'Lists for milestones and assignees require the paid tier')
  if (labelId !== undefined) await assertReachable(ctx, owner, 'label', labelId)
  if (milestoneId !== undefined) await assertReachable(ctx, owner, 'milestone', milestoneId)
  if (assigneeId !== undefined) await assertBoardMember(ctx, owner, assigneeId)
}

const selectAllLists = ({ db }: Context, board: number) =>
  db
    .selectFrom('boardList')
    .where('boardId', '=', board)
    .orderBy('position')
    .orderBy('id')
    .select(['id', 'labelId', 'milestoneId', 'assigneeId'])

const setPositions = async ({ db }: Context, ids: readonly number[]) => {
  for (const [position, id] of ids.entries())
    await db.updateTable('boardList').set({ position }).where('id', '=', id).execute()
}

const reload = async (ctx: Context, owner: BoardOwner, board: number, id: number): Promise<BoardList> =>
  defined((await completeLists(ctx, [await getList(ctx, owner, board, id)]))[0])

/** The columns of issue boards, without those of all open and all closed issues. */
export const boardLists = {
  /** Lists the columns of an issue board from left to right. */
  list: query({
    on: container,
    can: 'board.read',
    input: { ...boardReference, ...pagingEntries },
    async run(ctx, { board, ...paging }, owner): Promise<Page<BoardList>> {
      const { id } = await getBoard(ctx, owner, board)
      const page = await paginate(selectLists(ctx, owner, [id]), paging, (row): ListRow => row)
      return { ...page, items: await completeLists(ctx, page.items) }
    },
  }),

  /** Gets a column of an issue board. */
  get: query({
    on: container,
    can: 'board.read',
    input: listReference,
    async run(ctx, { board, list }, owner) {
      await getBoard(ctx, owner, board)
      return reload(ctx, owner, board, list)
    },
  }),

  /** Adds a column at the right: the issues with a label, a milestone or an assignee. */
  create: command({
    on: container,
    can: 'board.manage',
    input: {
      ...boardReference,
      /** Id of a label of the project or group, or of a group above it. */
      labelId: v.optional(Id),
      /** Id of a milestone of the project or group, or of a group above it. Requires the paid tier. */
      milestoneId: v.optional(Id),
      /** Id of a member of the project or group. Requires the paid tier. */
      assigneeId: v.optional(Id),
    },
    rules: [exactlyOne<Criterion>('labelId', 'milestoneId', 'assigneeId')],
    async run(ctx, { board, ...criterion }, owner) {
      const { id: boardId } = await getBoard(ctx, owner, board)
      await assertCriterion(ctx, owner, criterion)
      const lists = await selectAllLists(ctx, boardId).execute()
      const [field, value] = Object.entries(criterion).find(([, id]) => id !== undefined) as [keyof Criterion, number]
      if (lists.some((list) => list[field] === value)) throw invalid({ [field]: ['has already been taken'] })
      if (lists.length >= maxLists) throw invalid(`A board has at most ${maxLists} lists`)
      const { labelId = null, milestoneId = null, assigneeId = null } = criterion
      const row = await ctx.db
        .insertInto('boardList')
        .values({
          boardId,
          labelId,
          milestoneId,
          assigneeId,
          position: lists.length,
        } satisfies CompleteRow<'boardList'>)
        .returning('id')
        .executeTakeFirstOrThrow()
      return reload(ctx, owner, boardId, row.id)
    },
  }),

  /** Moves a column of an issue board. */
  move: command({
    on: container,
    can: 'board.manage',
    input: {
      ...listReference,
      /** New place from the left, from 0; a larger number than there are lists means the last place. */
      position: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
    },
    async run(ctx, { board, list, position }, owner) {
      await getBoard(ctx, owner, board)
      const { id } = await getList(ctx, owner, board, list)
      const others = (await selectAllLists(ctx, board).execute()).map((row) => row.id).filter((other) => other !== id)
      await setPositions(ctx, others.toSpliced(position, 0, id))
      return reload(ctx, owner, board, id)
    },
  }),

  /** Removes a column of an issue board. */
  remove: command({
    on: container,
    can: 'board.manage',
    input: listReference,
    async run(ctx, { board, list }, owner) {
      await getBoard(ctx, owner, board)
      const { id } = await getList(ctx, owner, board, list)
      await ctx.db.deleteFrom('boardList').where('id', '=', id).execute()
      await setPositions(
        ctx,
        (await selectAllLists(ctx, board).execute()).map((row) => row.id),
      )
    },
  }),
}
