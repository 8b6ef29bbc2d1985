import { features } from '@forgelet/core/operations'
import { empty, one, page } from '../reply/responders.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { BoardListWire, BoardWire } from '../shapes/board.ts'

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
