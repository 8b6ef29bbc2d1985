import { type Board, type BoardLabel, type BoardList, features } from '@forgelet/core/operations'
import * as v from 'valibot'
import { Integer, NullableInteger, NullableText } from '../reply/field-types.ts'
import { empty, one, page } from '../reply/responders.ts'
import { computed, list, nullable, wire } from '../reply/wire.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { BasicGroupWire } from '../shapes/group.ts'
import { MilestoneWire } from '../shapes/milestone.ts'
import { BasicProjectWire } from '../shapes/project.ts'
import { UserSummaryWire } from '../shapes/user.ts'

/** A label of a board. */
const BoardLabelWire = wire<BoardLabel>('BoardLabel')({
  id: Integer,
  name: v.string(),
  color: v.string(),
  description: NullableText,
})

/** A column of a board. */
const BoardListWire = wire<BoardList>('BoardColumn')({
  id: Integer,
  label: nullable(BoardLabelWire),
  milestone: nullable(MilestoneWire),
  assignee: nullable(UserSummaryWire),
  position: Integer,
  /** Always 0: the list has no limit. */
  max_issue_count: computed(Integer, () => 0),
  /** Always 0: the list has no limit. */
  max_issue_weight: computed(Integer, () => 0),
  /** Always null: the list has no limit. */
  limit_metric: computed(v.null(), () => null),
})

/** An issue board. */
const BoardWire = wire<Board>('Board')({
  id: Integer,
  name: v.string(),
  hide_backlog_list: v.boolean(),
  hide_closed_list: v.boolean(),
  project: nullable(BasicProjectWire),
  group: nullable(BasicGroupWire),
  milestone: nullable(MilestoneWire),
  assignee: nullable(UserSummaryWire),
  labels: list(BoardLabelWire),
  weight: NullableInteger,
  lists: list(BoardListWire),
})

const { boardLists, boards } = features

const extension = { extension: true } satisfies RouteOptions
const boardOptions = { ...extension, names: { board_id: 'board' } } satisfies RouteOptions
const listOptions = { ...extension, names: { board_id: 'board', list_id: 'list' } } satisfies RouteOptions

export const boardRoutes = (['groups', 'projects'] as const).flatMap((base) => [
  route(`GET /${base}/:id/boards`, boards.list, page(BoardWire), extension),
  route(`POST /${base}/:id/boards`, boards.create, one(BoardWire), extension),
  route(`GET /${base}/:id/boards/:board_id`, boards.get, one(BoardWire), boardOptions),
  route(`PUT /${base}/:id/boards/:board_id`, boards.update, one(BoardWire), boardOptions),
  route(`DELETE /${base}/:id/boards/:board_id`, boards.remove, empty(), boardOptions),
  route(`GET /${base}/:id/boards/:board_id/lists`, boardLists.list, page(BoardListWire), boardOptions),
  route(`POST /${base}/:id/boards/:board_id/lists`, boardLists.create, one(BoardListWire), boardOptions),
  route(`GET /${base}/:id/boards/:board_id/lists/:list_id`, boardLists.get, one(BoardListWire), listOptions),
  route(`PUT /${base}/:id/boards/:board_id/lists/:list_id`, boardLists.move, one(BoardListWire), listOptions),
  route(`DELETE /${base}/:id/boards/:board_id/lists/:list_id`, boardLists.remove, empty(), listOptions),
])
