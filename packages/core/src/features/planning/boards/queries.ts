import { awaitAll } from '../../../kernel/await-all.ts'
import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { userSummaries } from '../../accounts/users/queries.ts'
import { containerKey } from '../../spaces/members/queries.ts'
import { readProjectRecords } from '../../spaces/projects/record-queries.ts'
import { milestonesById } from '../milestones/queries.ts'
import type { Board, BoardLabel, BoardList } from './board.ts'
import { type BoardOwner, selectReachableIds } from './reach.ts'

export const selectBoards = (ctx: Context, owner: BoardOwner) => {
  const { projectId, groupId } = containerKey(owner)
  const rows = ctx.db
    .selectFrom('board')
    .select(['id', 'name', 'hideBacklogList', 'hideClosedList', 'milestoneId', 'assigneeId', 'weight'])
  return projectId === null ? rows.where('groupId', '=', groupId) : rows.where('projectId', '=', projectId)
}

export type BoardRow = Awaited<ReturnType<ReturnType<typeof selectBoards>['executeTakeFirstOrThrow']>>

export const getBoard = async (ctx: Context, owner: BoardOwner, id: number): Promise<BoardRow> => {
  const row = await selectBoards(ctx, owner).where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound('Board')
  return row
}

/** The lists of boards whose labels and milestones are in reach of the owner, from left to right. */
export const selectLists = (ctx: Context, owner: BoardOwner, boardIds: readonly number[]) =>
  ctx.db
    .selectFrom('boardList')
    .where('boardId', 'in', boardIds)
    .where((eb) =>
      eb.or([
        eb('assigneeId', 'is not', null),
        eb('labelId', 'in', selectReachableIds(ctx, owner, 'label')),
        eb('milestoneId', 'in', selectReachableIds(ctx, owner, 'milestone')),
      ]),
    )
    .orderBy('position')
    .orderBy('id')
    .select(['id', 'boardId', 'labelId', 'milestoneId', 'assigneeId', 'position'])

export type ListRow = Awaited<ReturnType<ReturnType<typeof selectLists>['executeTakeFirstOrThrow']>>

export const getList = async (ctx: Context, owner: BoardOwner, board: number, id: number): Promise<ListRow> => {
  const row = await selectLists(ctx, owner, [board]).where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound('List')
  return row
}

const labelsById = async (
  ctx: Context,
  ids: readonly (number | null)[],
): Promise<ReadonlyMap<number | null, BoardLabel>> => {
  const distinct = [...new Set(ids.filter((id) => id !== null))]
  if (!distinct.length) return new Map()
  const rows = await ctx.db
    .selectFrom('label')
    .where('id', 'in', distinct)
    .select(['id', 'name', 'color', 'description'])
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** Adds the labels, milestones and assignees of lists. */
export const completeLists = async (ctx: Context, rows: readonly ListRow[]): Promise<BoardList[]> => {
  const [labels, milestones, users] = await awaitAll([
    labelsById(
      ctx,
      rows.map(({ labelId }) => labelId),
    ),
    milestonesById(
      ctx,
      rows.map(({ milestoneId }) => milestoneId),
    ),
    userSummaries(
      ctx,
      rows.map(({ assigneeId }) => assigneeId),
    ),
  ])
  return rows.map(({ id, labelId, milestoneId, assigneeId, position }) => ({
    id,
    label: labels.get(labelId) ?? null,
    milestone: milestones.get(milestoneId ?? 0) ?? null,
    assignee: users.get(assigneeId ?? 0) ?? null,
    position,
  }))
}

/** The labels, milestones and assignees that restrict boards. */
const readScopes = async (ctx: Context, owner: BoardOwner, rows: readonly BoardRow[]) => {
  const links = await ctx.db
    .selectFrom('boardLabel')
    .where(
      'boardId',
      'in',
      rows.map(({ id }) => id),
    )
    .where('labelId', 'in', selectReachableIds(ctx, owner, 'label'))
    .orderBy('labelId')
    .select(['boardId', 'labelId'])
    .execute()
  const labels = await labelsById(
    ctx,
    links.map(({ labelId }) => labelId),
  )
  const milestones = await milestonesById(
    ctx,
    rows.map(({ milestoneId }) => milestoneId),
  )
  const reachable = await selectReachableIds(ctx, owner, 'milestone')
    .where('id', 'in', [0, ...milestones.keys()])
    .execute()
  const users = await userSummaries(
    ctx,
    rows.map(({ assigneeId }) => assigneeId),
  )
  const reachableIds = new Set(reachable.map(({ id }) => id))
  return ({ id, milestoneId, assigneeId }: BoardRow) => ({
    labels: links.filter(({ boardId }) => boardId === id).flatMap(({ labelId }) => labels.get(labelId) ?? []),
    milestone: reachableIds.has(milestoneId ?? 0) ? (milestones.get(milestoneId ?? 0) ?? null) : null,
    assignee: users.get(assigneeId ?? 0) ?? null,
  })
}

/** Adds the lists of boards and the objects that they refer to. */
export const completeBoards = async (ctx: Context, owner: BoardOwner, rows: readonly BoardRow[]): Promise<Board[]> => {
  if (!rows.length) return []
  const scopeOf = await readScopes(ctx, owner, rows)
  const listRows = await selectLists(
    ctx,
    owner,
    rows.map(({ id }) => id),
  ).execute()
  const lists = await completeLists(ctx, listRows)
  const [project = null] = await readProjectRecords(ctx, owner.kind === 'project' ? [owner.project] : [], {
    sources: false,
  })
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    hideBacklogList: row.hideBacklogList,
    hideClosedList: row.hideClosedList,
    project,
    group: owner.kind === 'group' ? { ...owner.group } : null,
    ...scopeOf(row),
    weight: row.weight,
    lists: lists.filter((_, at) => listRows[at]?.boardId === row.id),
  }))
}
