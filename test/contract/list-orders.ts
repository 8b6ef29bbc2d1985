import type { Item } from './list-filter-values.ts'

/** The order of lists without parameters, where the documentation names it: the field of an item, and the direction. */
export const defaultOrders: Readonly<Record<string, readonly [field: string, direction: 'asc' | 'desc']>> = {
  'GET /broadcast_messages': ['id', 'desc'],
  'GET /events': ['created_at', 'desc'],
  'GET /groups': ['name', 'asc'],
  'GET /groups/:id/descendant_groups': ['name', 'asc'],
  'GET /groups/:id/epics': ['created_at', 'desc'],
  'GET /groups/:id/epics/:epic_id/notes': ['created_at', 'desc'],
  'GET /groups/:id/groups/shared': ['name', 'asc'],
  'GET /groups/:id/issues': ['created_at', 'desc'],
  'GET /groups/:id/labels': ['name', 'asc'],
  'GET /groups/:id/merge_requests': ['created_at', 'desc'],
  'GET /groups/:id/packages': ['created_at', 'asc'],
  'GET /groups/:id/projects': ['created_at', 'desc'],
  'GET /groups/:id/projects/shared': ['created_at', 'desc'],
  'GET /groups/:id/subgroups': ['name', 'asc'],
  'GET /issues': ['created_at', 'desc'],
  'GET /merge_requests': ['created_at', 'desc'],
  'GET /projects': ['created_at', 'desc'],
  'GET /projects/:id/deployments': ['id', 'asc'],
  'GET /projects/:id/events': ['created_at', 'desc'],
  'GET /projects/:id/forks': ['created_at', 'desc'],
  'GET /projects/:id/issues': ['created_at', 'desc'],
  'GET /projects/:id/issues/:issue_iid/notes': ['created_at', 'desc'],
  'GET /projects/:id/jobs': ['id', 'desc'],
  'GET /projects/:id/labels': ['name', 'asc'],
  'GET /projects/:id/merge_requests': ['created_at', 'desc'],
  'GET /projects/:id/merge_requests/:merge_request_iid/notes': ['created_at', 'desc'],
  'GET /projects/:id/packages': ['created_at', 'asc'],
  'GET /projects/:id/packages/:package_id/package_files': ['id', 'asc'],
  'GET /projects/:id/pipelines': ['id', 'desc'],
  'GET /projects/:id/pipelines/:pipeline_id/jobs': ['id', 'desc'],
  'GET /projects/:id/releases': ['released_at', 'desc'],
  'GET /projects/:id/repository/branches': ['name', 'asc'],
  'GET /projects/:id/repository/commits': ['committed_date', 'desc'],
  'GET /projects/:id/repository/commits/:sha/statuses': ['id', 'asc'],
  'GET /projects/:id/repository/contributors': ['commits', 'asc'],
  'GET /projects/:id/repository/tags': ['commit.committed_date', 'desc'],
  'GET /projects/:id/snippets/:snippet_id/notes': ['created_at', 'desc'],
  'GET /search': ['created_at', 'desc'],
  'GET /todos': ['id', 'desc'],
  'GET /topics': ['total_projects_count', 'desc'],
  'GET /users': ['id', 'desc'],
  'GET /users/:id/events': ['created_at', 'desc'],
  'GET /users/:user_id/contributed_projects': ['created_at', 'desc'],
  'GET /users/:user_id/projects': ['created_at', 'desc'],
  'GET /users/:user_id/starred_projects': ['created_at', 'desc'],
}

/** Where items show the value of an order that is not a field with its name. */
const shownAs: Readonly<Record<string, string>> = {
  type: 'package_type',
  updated: 'commit.committed_date',
  user_id: 'user.id',
  milestone_due: 'milestone.due_date',
}

const readField = (item: Item, field: string): unknown =>
  field.split('.').reduce<unknown>((value, key) => (value as Item | null | undefined)?.[key], item)

const compare = (one: unknown, other: unknown): number => {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  return String(one) < String(other) ? -1 : String(one) > String(other) ? 1 : 0
}

/** The values of an order in the list; undefined if items do not show them. Items without a value are left out: they are last. */
export const readOrdered = (items: readonly Item[], order: string): readonly unknown[] | undefined => {
  const values = items.map((item) => readField(item, shownAs[order] ?? order))
  if (values.every((value) => value === undefined)) return undefined
  return values.filter((value) => value !== undefined && value !== null)
}

type Direction = 'asc' | 'desc'

const findWrong = (values: readonly unknown[], direction: Direction): readonly unknown[] =>
  values.filter((value, index) => index > 0 && compare(values[index - 1], value) * (direction === 'asc' ? 1 : -1) > 0)

const toLowerCase = (value: unknown) => (typeof value === 'string' ? value.toLowerCase() : value)

/** The values that follow a value that they should precede. Lists sort text by its code points or without the case of letters. */
export const findDisorder = (values: readonly unknown[], direction: Direction): readonly unknown[] => {
  const wrong = findWrong(values, direction)
  const ignoringCase = findWrong(values.map(toLowerCase), direction)
  return wrong.length < ignoringCase.length ? wrong : ignoringCase
}
