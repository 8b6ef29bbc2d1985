import type { Board, BoardLabel, BoardList, BoardProject } from '@forgelet/core/operations'
import * as v from 'valibot'
import { Integer, NullableInteger, NullableText, Url } from '../reply/field-types.ts'
import { computed, list, nullable, type Site, wire } from '../reply/wire.ts'
import { BasicGroupWire } from './group.ts'
import { MilestoneWire } from './milestone.ts'
import { UserSummaryWire } from './user.ts'

/** A label of a board. */
const BoardLabelWire = wire<BoardLabel>('BoardLabel')({
  id: Integer,
  name: v.string(),
  color: v.string(),
  description: NullableText,
})

/** A column of a board. */
export const BoardListWire = wire<BoardList>('BoardColumn')({
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

/** The project of a board. */
const BoardProjectWire = wire<BoardProject>('BoardProject')({
  id: Integer,
  name: v.string(),
  name_with_namespace: v.string(),
  path: v.string(),
  /** Full path of the project. */
  path_with_namespace: computed(v.string(), ({ fullPath }: BoardProject) => fullPath),
  /** URL for git over HTTP. */
  http_url_to_repo: computed(Url, ({ fullPath }: BoardProject, { url }: Site) => `${url}/${fullPath}.git`),
  /** URL of the project's page. */
  web_url: computed(Url, ({ fullPath }: BoardProject, { url }: Site) => `${url}/${fullPath}`),
})

/** An issue board. */
export const BoardWire = wire<Board>('Board')({
  id: Integer,
  name: v.string(),
  hide_backlog_list: v.boolean(),
  hide_closed_list: v.boolean(),
  project: nullable(BoardProjectWire),
  group: nullable(BasicGroupWire),
  milestone: nullable(MilestoneWire),
  assignee: nullable(UserSummaryWire),
  labels: list(BoardLabelWire),
  weight: NullableInteger,
  lists: list(BoardListWire),
})
