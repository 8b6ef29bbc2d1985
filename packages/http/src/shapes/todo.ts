import type { MergeRequestTarget, Todo, TodoProject } from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Integer, NullableText, Url } from '../reply/field-types.ts'
import { computed, optional, type Site, variants, wire } from '../reply/wire.ts'
import { EpicDetailsWire } from './epic.ts'
import { IssueDetailsWire } from './issue.ts'
import { MergeRequestWire } from './merge-request.ts'
import { ProjectNamespaceWire } from './project.ts'
import { UserSummaryWire } from './user.ts'

/** Specification 1, "Todo". */
const MergeRequestTargetWire = wire<MergeRequestTarget>('TodoMergeRequest')({
  ...MergeRequestWire.fields,
  changes_count: NullableText,
  subscribed: v.boolean(),
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

const urlSegments = { Issue: 'issues', MergeRequest: 'merge_requests', Epic: 'epics' } as const

const createWebUrl = ({ project, group, targetType, target }: Todo, { url }: Site): string => {
  const parentPath = project?.pathWithNamespace ?? `groups/${group?.fullPath}`
  return `${url}/${parentPath}/-/${urlSegments[targetType]}/${target.iid}`
}

const TargetWire = variants([IssueDetailsWire, MergeRequestTargetWire, EpicDetailsWire], (todo: Todo, site: Site) => {
  switch (todo.targetType) {
    case 'Issue':
      return IssueDetailsWire(todo.target, site)
    case 'MergeRequest':
      return MergeRequestTargetWire(todo.target, site)
    case 'Epic':
      return EpicDetailsWire(todo.target, site)
  }
})

/** Specification 1, "Todo". A todo on an epic has `group` instead of `project`. */
export const TodoWire = wire<Todo>('Todo')({
  id: Integer,
  project: optional(TodoProjectWire),
  group: optional(ProjectNamespaceWire),
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
