import type { Todo, TodoGroup, TodoProject } from '@forgelet/core/operations'
import * as v from 'valibot'
import { computed, type Site, wire } from '../wire.ts'
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

const targetOf = (todo: Todo, site: Site) => {
  switch (todo.targetType) {
    case 'Issue':
      return IssueTargetWire(todo.target, site)
    case 'MergeRequest':
      return MergeRequestTargetWire(todo.target, site)
    case 'Epic':
      return EpicTargetWire(todo.target, site)
  }
}

const segments = { Issue: 'issues', MergeRequest: 'merge_requests', Epic: 'epics' } as const

/** Where people find the target. */
const webUrl = ({ project, group, targetType, target }: Todo, { url }: Site): string => {
  const place = project?.pathWithNamespace ?? `groups/${group?.fullPath}`
  return `${url}/${place}/-/${segments[targetType]}/${target.iid}`
}

const Some = v.optional(v.looseObject({}))

/** A todo: specification 1, "Todo". A todo on an epic has `group` instead of `project`. */
export const TodoWire = wire<Todo>()({
  id: v.number(),
  project: computed(Some, ({ project }: Todo, site: Site) => project && TodoProjectWire(project, site)),
  group: computed(Some, ({ group }: Todo, site: Site) => group && TodoGroupWire(group, site)),
  author: UserSummaryWire,
  action_name: v.string(),
  target_type: v.string(),
  target: computed(v.looseObject({ id: v.number(), iid: v.number(), title: v.string() }), (todo: Todo, site: Site) => ({
    ...targetOf(todo, site),
    web_url: webUrl(todo, site),
  })),
  target_url: computed(v.string(), (todo: Todo, site: Site) =>
    todo.noteId === null ? webUrl(todo, site) : `${webUrl(todo, site)}#note_${todo.noteId}`,
  ),
  body: v.string(),
  state: v.string(),
  created_at: v.string(),
  updated_at: v.string(),
})
