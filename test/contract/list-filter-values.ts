import { getInputReader } from '../../packages/http/src/request/input-reader.ts'
import type { Route } from '../../packages/http/src/routing/route.ts'
import { toSnakeCase } from '../../packages/http/src/wire-names.ts'

/** Values for the filters of lists: from the types of the filters, from the items of the lists, and from tables. */

export type Item = Readonly<Record<string, unknown>>

interface Schema {
  readonly type: string
  readonly wrapped?: Schema
  readonly options?: readonly unknown[]
  readonly item?: Schema
  readonly entries?: Readonly<Record<string, Schema>>
}

export interface Filter {
  /** Name in the query: `labels`, `not[labels]`. */
  readonly name: string
  /** Name of what it compares: `labels`. */
  readonly field: string
  /** Whether it keeps what does not have the value. */
  readonly excludes: boolean
  readonly schema: Schema
  /** The query with a value. */
  build(value: unknown): Item
}

const unwrap = (schema: Schema): Schema => (schema.wrapped ? unwrap(schema.wrapped) : schema)

/** Parameters that change the shape, the order or the part of a list. */
const noFilter =
  /^(page|per_page|pagination|page_token|cursor|sort|order_by|order|view|simple|include_html_description|statistics|fields|in|show_seat_info|trailers|unidiff|tags|tags_count|with_(content|counts|stats|custom_attributes|labels_details|merge_status_recheck))$/

/** Filters that can also add to the default list, because they replace a default or name another place. */
export const widening =
  /^(include_.*|shared_.*|with_shared|scope|archived|non_archived|active|state|status|all|all_available|owned|owned_only|path|recursive|ref|ref_name|only_group_labels)$/

const createFilter = (name: string, field: string, schema: Schema, build: Filter['build']): Filter => ({
  name,
  field,
  excludes: /^(not\[|skip_)/.test(name),
  schema: unwrap(schema),
  build,
})

/** The filters of a list; each part of `not` is one. */
export const filtersOf = (route: Route): Filter[] =>
  getInputReader(route)
    .fields.filter(({ inPath, wire }) => !inPath && !noFilter.test(wire))
    .flatMap(({ wire, schema }) => {
      const { entries } = unwrap(schema as unknown as Schema)
      if (!entries) return [createFilter(wire, wire, schema as unknown as Schema, (value) => ({ [wire]: value }))]
      return Object.entries(entries).map(([key, inner]) => {
        const field = toSnakeCase(key)
        return createFilter(`${wire}[${field}]`, field, inner, (value) => ({ [wire]: { [field]: value } }))
      })
    })

/** The values of `order_by` of a list. */
export const ordersOf = (route: Route): readonly string[] => {
  const field = getInputReader(route).fields.find(({ wire }) => wire === 'order_by')
  return field ? ((unwrap(field.schema as unknown as Schema).options ?? []) as readonly string[]) : []
}

const texts = ['name', 'title', 'username', 'path', 'tag_name', 'description', 'email', 'invite_email', 'full_path']

const partOf = (value: unknown, key: string): unknown =>
  value !== null && typeof value === 'object' ? (value as Item)[key] : undefined

/** Values of a field of an item, by the name of its filter: `author_id` is the `id` of `author`. */
const read = (item: Item, field: string): readonly unknown[] => {
  if (field === 'search' || field === 'query') return texts.map((name) => item[name])
  if (/^(user_ids|skip_users|skip_groups)$/.test(field)) return [item.id]
  const value = item[field] ?? item[field.replace(/s$/, '')]
  if (Array.isArray(value)) return value.map((entry) => partOf(entry, 'name') ?? entry)
  if (value !== undefined && value !== null) return [partOf(value, 'title') ?? value]
  const [, owner = '', key = ''] = /^(.*)_(\w+?)s?$/.exec(field) ?? []
  const inner = item[owner] ?? item[`${owner}s`]
  if (Array.isArray(inner)) return inner.map((entry) => partOf(entry, key))
  return [partOf(inner, key)]
}

/** What an item shows of the field of a filter. */
export const readShown = (item: Item, { field }: Filter): readonly string[] =>
  read(item, field)
    .filter((value) => value !== undefined && value !== null && value !== '' && typeof value !== 'object')
    .map(String)

/** Whether the items show which of them a value keeps. */
export const showsExactly = (filter: Filter, value: unknown, items: readonly Item[]): boolean =>
  !/^(search|query)$/.test(filter.field) &&
  ['string', 'number'].includes(typeof (Array.isArray(value) ? value[0] : value)) &&
  items.some((item) => readShown(item, filter).includes(String(value)))

/** Values that neither the type of a filter nor the items show; `@name` is the id of an object. */
const values: Readonly<Record<string, readonly unknown[]>> = {
  custom_attributes: [{ tier: 'gold' }, { tier: 'none' }],
  id_after: [0, 999_999_999],
  id_before: [999_999_999, 0],
  my_reaction_emoji: ['rocket', 'None', 'thumbsdown'],
  ref: ['main', 'no-such-thing'],
  ref_name: ['main', 'cache-home'],
  regex: ['^main$', '^no-such-thing'],
  with_programming_language: ['Python', 'COBOL'],
  topic: [['website'], ['no-such-thing']],
  topic_id: ['@topic', 999_999_999],
  approver_ids: [['None'], ['Any']],
  approved_by_ids: [['@root'], [999_999_999]],
  approved_by_usernames: [['root'], ['no-such-thing']],
  environment: ['production', 'no-such-thing'],
  stage: ['external', 'no-such-thing'],
  extern_uid: ['7', '8'],
  provider: ['crm', 'no-such-thing'],
  public_email: ['bob@public.example.com', 'no@example.com'],
  saml_provider_id: [1, 999_999_999],
  tag_list: [['ios'], ['no-such-thing']],
  version_prefix: ['17', '9'],
  author: ['Alice', 'Bob', 'no-such-thing'],
  package_name: ['tool', 'no-such-thing'],
  package_version: ['1.0.0', 'no-such-thing'],
  search_title: ['Varied', 'no-such-thing'],
  'GET /todos: group_id': ['@acme', 999_999_999],
  'GET /todos: state': ['done', 'pending'],
  'GET /events: scope': ['all', 'no-such-thing'],
  'GET /search: search': ['Varied', 'no-such-thing'],
  'GET /groups/:id/search: search': ['Varied', 'no-such-thing'],
  'GET /projects/:id/starrers: search': ['Administrator', 'no-such-thing'],
  'GET /projects/:id/hooks/:hook_id/events: status': [['successful'], ['server_failure']],
  'GET /groups/:id/hooks/:hook_id/events: status': [['successful'], ['server_failure']],
  'GET /projects/:id/pipelines: username': ['root', 'no-such-thing'],
  'GET /projects/:id/jobs: scope': [['success'], ['manual'], ['failed']],
  'GET /projects/:id/pipelines/:pipeline_id/jobs: scope': [['success'], ['manual'], ['failed']],
  'GET /projects/:id/repository/commits: path': ['README.md', 'shipped.txt', 'no-such-thing'],
  'GET /projects/:id/jobs/:job_id/artifacts/tree: path': ['docs', 'no-such-thing'],
}

/** Other parameters of a list, or that a filter requires. */
const parameters: Readonly<Record<string, Item>> = {
  'GET /issues': { scope: 'all' },
  'GET /merge_requests': { scope: 'all' },
  'GET /search': { scope: 'issues', search: 'Varied' },
  'GET /groups/:id/search': { scope: 'issues', search: 'Varied' },
  'GET /projects/:id/search: ref': { scope: 'blobs', search: 'html' },
  'GET /groups/:id/projects/shared: search_namespaces': { search: 'bob' },
  'GET /users/:user_id/projects: search_namespaces': { search: 'bob' },
  'GET /users/:user_id/starred_projects: search_namespaces': { search: 'bob' },
  'GET /projects/:id/forks: search_namespaces': { search: 'bob' },
  search_namespaces: { search: 'acme' },
  full_path_search: { search: 'acme/too' },
  start_date: { end_date: '2999-12-31' },
  end_date: { start_date: '1999-01-01' },
  extern_uid: { provider: 'crm' },
  provider: { extern_uid: '7' },
  finished_after: { order_by: 'finished_at' },
  finished_before: { order_by: 'finished_at' },
  shared_min_access_level: { with_shared: true },
  shared_visible_only: { with_shared: true },
}

/** Parameters that belong to a list or a filter. */
export const listParameters = (name: string): Item => parameters[name] ?? {}

const below = { id: 'acme/tools' }

/** Parameters of the paths of lists, or of those in which a filter has an effect. */
export const otherPlaces: Readonly<Record<string, Item>> = {
  'GET /groups/:id/invited_groups': { id: 'hosts' },
  'GET /projects/:id/labels: include_ancestor_groups': { id: 'acme/tools/deploy' },
  'GET /groups/:id/labels: include_ancestor_groups': below,
  'GET /groups/:id/epics: include_ancestor_groups': below,
  'GET /groups/:id/projects: include_ancestor_groups': below,
  'GET /groups/:id/milestones: include_ancestors': below,
  'GET /projects/:id/repository/commits/:sha/merge_requests: state': { sha: 'shipped' },
}

/** Readers who do not see everything. */
export const otherReaders: Readonly<Record<string, string>> = { 'GET /projects/:id/groups: shared_visible_only': 'bob' }

/** Filters that this test cannot show, with the reason; a name alone stands for those of every list. */
export const untested: Readonly<Record<string, string>> = {
  include_hidden: 'the platform hides no projects',
  include_pending_delete: 'projects that are being removed are in no list',
  marked_for_deletion_on: 'what is marked is archived: delayed-deletion.test.ts',
  'GET /audit_events: created_before': 'the list goes back 30 days from it: audit-events.test.ts',
  'GET /audit_events: entity_id': 'it requires entity_type: audit-events.test.ts',
  'GET /users/:user_id/contributed_projects: with_issues_enabled': 'users contribute to projects with issues',
  'GET /users/:user_id/contributed_projects: with_merge_requests_enabled': 'the same project has merge requests',
  'GET /runners/:runner_id/jobs: status': 'the runner has taken no job',
  'GET /projects/:id/repository/commits: follow': 'has an effect on a renamed file only: repository-content.test.ts',
  'GET /projects/:id/pipelines/:pipeline_id/bridges: scope': 'no pipeline has downstream pipelines',
  'GET /projects/:id/packages: include_versionless': 'every generic package has a version',
  'GET /groups/:id/packages: include_versionless': 'every generic package has a version',
}

const days = ['2000-01-01', '2999-01-01']

const nothing = ({ field, schema }: Filter) => {
  if (/^(assignee_id|reviewer_id|epic_id|weight|milestone_id)$/.test(field)) return ['None', 'Any']
  return schema.type === 'number' || schema.item?.type === 'number' ? [999_999_999] : ['no-such-thing']
}

/** Values of a filter: some keep items of the list, and some remove them. */
export const valuesOf = (
  line: string,
  filter: Filter,
  items: readonly Item[],
  known: Readonly<Record<string, string | number>>,
): readonly unknown[] => {
  const { field, schema } = filter
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve)
    return typeof value === 'string' && value.startsWith('@') ? known[value.slice(1)] : value
  }
  const toValue = (value: unknown) => (schema.type === 'array' ? [value] : value)
  const given = values[`${line}: ${filter.name}`] ?? values[field]
  if (given) return given.map(resolve)
  const options = schema.options ?? schema.item?.options
  if (options?.every((option) => typeof option !== 'object')) return options.map(toValue)
  if (/(^|_)(after|since|from)$|_date$/.test(field)) return days
  if (/(^|_)(before|until)$/.test(field)) return days.toReversed()
  if (schema.type === 'boolean') return [true, false]
  const shown = [...new Set(items.flatMap((item) => readShown(item, filter)))].slice(0, 2)
  return [...shown, ...nothing(filter)].map(toValue)
}
