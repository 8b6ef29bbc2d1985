import type { Todo, TodoGroup, TodoProject } from '@forgelet/core/operations'
import * as v from 'valibot'
import { computed, type Site, wire } from '../reply/wire.ts'
import { EpicTargetWire, IssueTargetWire, MergeRequestTargetWire } from './todo-target.ts'
import { UserSummaryWire } from './user.ts'

const TodoProjectWire = wire<TodoProject>()({
  id: v.number(),
  description: v.nullable(v.string()),
  name: v.string(),
  name_with_namespace: v.string(),
  path: v.string(),
  path_with_namespace: v.string(),
  created_at: v.string(),
})

const TodoGroupWire = wire<TodoGroup>()({
  id: v.number(),
  name: v.string(),
  path: v.string(),
  full_path: v.string(),
})

const createTarget = (todo: Todo, site: Site) => {
  switch (todo.targetType) {
    case 'Issue':
      return IssueTargetWire(todo.target, site)
    case 'MergeRequest':
      return MergeRequestTargetWire(todo.target, site)
    case 'Epic':
      return EpicTargetWire(todo.target, site)
  }
}

const urlSegments = { Issue: 'issues', MergeRequest: 'merge_requests', Epic: 'epics' } as const

const createWebUrl = ({ project, group, targetType, target }: Todo, { url }: Site): string => {
  const parentPath = project?.pathWithNamespace ?? `groups/${group?.fullPath}`
  return `${url}/${parentPath}/-/${urlSegments[targetType]}/${target.iid}`
}

const OptionalObject = v.optional(v.looseObject({}))

/** Specification 1, "Todo". A todo on an epic has `group` instead of `project`. */
export const TodoWire = wire<Todo>()({
  id: v.number(),
  project: computed(OptionalObject, ({ project }: Todo, site: Site) => project && TodoProjectWire(project, site)),
  group: computed(OptionalObject, ({ group }: Todo, site: Site) => group && TodoGroupWire(group, site)),
  author: UserSummaryWire,
  action_name: v.string(),
  target_type: v.string(),
  target: computed(v.looseObject({ id: v.number(), iid: v.number(), title: v.string() }), (todo: Todo, site: Site) => ({
    ...createTarget(todo, site),
    web_url: createWebUrl(todo, site),
  })),
  target_url: computed(v.string(), (todo: Todo, site: Site) =>
    todo.noteId === null ? createWebUrl(todo, site) : `${createWebUrl(todo, site)}#note_${todo.noteId}`,
  ),
  body: v.string(),
  state: v.string(),
  created_at: v.string(),
  updated_at: v.string(),
})
