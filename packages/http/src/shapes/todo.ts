import type { Todo, TodoGroup, TodoProject } from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Integer, NullableText, Url } from '../reply/field-types.ts'
import { computed, optional, type Site, variants, wire } from '../reply/wire.ts'
import { EpicTargetWire, IssueTargetWire, MergeRequestTargetWire } from './todo-target.ts'
import { UserSummaryWire } from './user.ts'

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
