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

const projectFields = {
  id: Integer,
  description: NullableText,
  name: v.string(),
  name_with_namespace: v.string(),
  path: v.string(),
  path_with_namespace: v.string(),
  created_at: DateTime,
}

const TodoProjectWire = wire<TodoProject>('TodoProject')(projectFields)

/** A project to which a user requests access. */
const ProjectTargetWire = wire<TodoProject & { readonly webUrl: string }>('TodoProjectTarget')({
  ...projectFields,
  /** URL of the page of the project. */
  web_url: Url,
})

const urlSegments = { Issue: 'issues', MergeRequest: 'merge_requests', Epic: 'epics' } as const

const createWebUrl = (todo: Todo, { url }: Site): string => {
  const { project, group } = todo
  const parentUrl = `${url}/${project?.pathWithNamespace ?? `groups/${group?.fullPath}`}`
  if (todo.targetType === 'Project' || todo.targetType === 'Namespace') return parentUrl
  return `${parentUrl}/-/${urlSegments[todo.targetType]}/${todo.target.iid}`
}

const membersSegments = { Project: 'project_members', Namespace: 'group_members' } as const

const createTargetUrl = (todo: Todo, site: Site): string => {
  const webUrl = createWebUrl(todo, site)
  if (todo.targetType === 'Project' || todo.targetType === 'Namespace')
    return `${webUrl}/-/${membersSegments[todo.targetType]}?tab=access_requests`
  return todo.noteId === null ? webUrl : `${webUrl}#note_${todo.noteId}`
}

const targetWires = [
  ...[IssueDetailsWire, MergeRequestTargetWire, EpicDetailsWire],
  ...[ProjectTargetWire, ProjectNamespaceWire],
] as const

const TargetWire = variants(targetWires, (todo: Todo, site: Site) => {
  switch (todo.targetType) {
    case 'Issue':
      return IssueDetailsWire(todo.target, site)
    case 'MergeRequest':
      return MergeRequestTargetWire(todo.target, site)
    case 'Epic':
      return EpicDetailsWire(todo.target, site)
    case 'Project':
      return ProjectTargetWire({ ...todo.target, webUrl: createWebUrl(todo, site) }, site)
    case 'Namespace':
      return ProjectNamespaceWire(todo.target, site)
  }
})

/** Specification 1, "Todo". A to-do item on an epic or a group has `group` instead of `project`. */
export const TodoWire = wire<Todo>('Todo')({
  id: Integer,
  project: optional(TodoProjectWire),
  group: optional(ProjectNamespaceWire),
  author: UserSummaryWire,
  action_name: v.string(),
  target_type: v.string(),
  target: computed(TargetWire, (todo: Todo) => todo),
  /** URL of the page of the target, with the note if the to-do item refers to one; of the members of a project or group. */
  target_url: computed(Url, createTargetUrl),
  body: v.string(),
  state: v.string(),
  created_at: DateTime,
  updated_at: DateTime,
})
