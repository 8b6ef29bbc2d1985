import type {
  EpicTarget,
  IssueTarget,
  MergeRequestTarget,
  Todo,
  TodoGroup,
  TodoProject,
} from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Integer, NullableDate, NullableDateTime, NullableText, Url } from '../reply/field-types.ts'
import { computed, optional, type Site, variants, wire } from '../reply/wire.ts'
import { issuableFields } from './issuable.ts'
import { mergeRequestFields } from './merge-request.ts'
import { UserSummaryWire } from './user.ts'

/** The URL of an epic contains the path of its group, which only the todo has. */
type WithUrl<T> = T & { readonly webUrl: string }

const targetFields = {
  subscribed: v.boolean(),
  /** URL of the target's page. */
  web_url: Url,
}

const IssueTargetWire = wire<WithUrl<IssueTarget>>('TodoIssue')({
  ...issuableFields,
  ...targetFields,
  due_date: NullableDate,
  confidential: v.boolean(),
})

/** Specification 1, "Todo". */
const MergeRequestTargetWire = wire<WithUrl<MergeRequestTarget>>('TodoMergeRequest')({
  ...mergeRequestFields,
  ...targetFields,
})

const EpicTargetWire = wire<WithUrl<EpicTarget>>('TodoEpic')({
  id: Integer,
  iid: Integer,
  group_id: Integer,
  title: v.string(),
  description: NullableText,
  state: v.string(),
  confidential: v.boolean(),
  author: UserSummaryWire,
  created_at: DateTime,
  updated_at: DateTime,
  closed_at: NullableDateTime,
  user_notes_count: Integer,
  ...targetFields,
})

const TodoProjectWire = wire<TodoProject>('TodoProject')({
  id: Integer,
  description: NullableText,
  name: v.string(),
  name_with_namespace: v.string(),
  path: v.string(),
  path_with_namespace: v.string(),
  created_at: DateTime,
})

const TodoGroupWire = wire<TodoGroup>('TodoGroup')({
  id: Integer,
  name: v.string(),
  path: v.string(),
  full_path: v.string(),
})

const urlSegments = { Issue: 'issues', MergeRequest: 'merge_requests', Epic: 'epics' } as const

const createWebUrl = ({ project, group, targetType, target }: Todo, { url }: Site): string => {
  const parentPath = project?.pathWithNamespace ?? `groups/${group?.fullPath}`
  return `${url}/${parentPath}/-/${urlSegments[targetType]}/${target.iid}`
}

const TargetWire = variants([IssueTargetWire, MergeRequestTargetWire, EpicTargetWire], (todo: Todo, site: Site) => {
  const webUrl = createWebUrl(todo, site)
  switch (todo.targetType) {
    case 'Issue':
      return IssueTargetWire({ ...todo.target, webUrl }, site)
    case 'MergeRequest':
      return MergeRequestTargetWire({ ...todo.target, webUrl }, site)
    case 'Epic':
      return EpicTargetWire({ ...todo.target, webUrl }, site)
  }
})

/** Specification 1, "Todo". A todo on an epic has `group` instead of `project`. */
export const TodoWire = wire<Todo>('Todo')({
  id: Integer,
  project: optional(TodoProjectWire),
  group: optional(TodoGroupWire),
  author: UserSummaryWire,
  action_name: v.string(),
  target_type: v.string(),
  target: computed(TargetWire, (todo: Todo) => todo),
  /** URL of the page of the target, with the note if the to-do refers to one. */
  target_url: computed(Url, (todo: Todo, site: Site) =>
    todo.noteId === null ? createWebUrl(todo, site) : `${createWebUrl(todo, site)}#note_${todo.noteId}`,
  ),
  body: v.string(),
  state: v.string(),
  created_at: DateTime,
  updated_at: DateTime,
})
