import { getInputReader } from '../../packages/http/src/request/input-reader.ts'
import type { Route } from '../../packages/http/src/routing/route.ts'

type Values = Readonly<Record<string, unknown>>

/** Parameters whose present value has another name in replies. */
const replyNames: Values = { new_name: 'name' }

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const readId = (value: unknown) => (isObject(value) ? value.id : undefined)

/** The value of a parameter in a reply: `assignee_ids` is in `assignees`, `milestone_id` in `milestone`. */
const findPresent = (reply: Values, wire: string): unknown => {
  const name = String(replyNames[wire] ?? wire)
  if (name in reply) return isObject(reply[name]) ? undefined : reply[name]
  if (wire.endsWith('_id')) return readId(reply[wire.replace(/_id$/, '')])
  const items = wire.endsWith('_ids') ? reply[wire.replace(/_ids$/, 's')] : undefined
  return Array.isArray(items) ? items.map(readId) : undefined
}

type Schema = ReturnType<typeof getInputReader>['fields'][number]['schema']

const parameterFields = (route: Route) => getInputReader(route).fields.filter(({ inPath }) => !inPath)

/** The parameters of a route that a reply contains, except those without a value. */
export const readPresentValues = (route: Route, reply: Values): Values =>
  Object.fromEntries(
    parameterFields(route)
      .map(({ wire }) => [wire, findPresent(reply, wire)] as const)
      .filter(([, value]) => value !== null && value !== undefined),
  )

/** Values of parameters that no reply contains, and that have a format of their own. */
const knownValues = (ids: Values): Readonly<Record<string, readonly unknown[]>> => ({
  add_labels: ['bug'],
  remove_labels: ['no-such-label'],
  state_event: ['close'],
  start_date: ['2030-01-01'],
  due_date: ['2030-02-01'],
  expires_at: ['2999-01-01'],
  filepath: ['/tool'],
  pages_primary_domain: ['www.example.com'],
  usernames: [['bob']],
  assignee_id: [ids.user_id],
  milestone_id: [ids.milestone_id, ids.group_milestone],
  protected_branch_ids: [[]],
  allowed_to_push: [[{ access_level: 40 }]],
  allowed_to_merge: [[{ access_level: 30 }]],
  allowed_to_unprotect: [[{ access_level: 40 }]],
  custom_webhook_template: ['{"kind":"{{object_kind}}"}'],
  selective_sync_type: ['namespaces'],
  archive_builds_in_human_readable: ['1 month'],
  ci_delete_pipelines_in_seconds: [86_400],
  maximum_timeout: [3_600],
  front_matter: [{ title: 'A title' }],
  default_branch_protection_defaults: [{ allow_force_push: true }],
})

const guesses = [
  'A text',
  true,
  false,
  2,
  1,
  ['a.example.com'],
  'https://a.example.com/',
  'enabled',
  'a@example.com',
  'a.example.com',
]

const isValid = (schema: Schema, value: unknown): boolean => {
  const result = schema['~standard'].validate(value)
  return !(result instanceof Promise) && result.issues === undefined
}

const picklistOptions = (schema: unknown): readonly unknown[] => {
  if (!isObject(schema)) return []
  if (Array.isArray(schema.options)) return schema.options
  return picklistOptions(schema.wrapped ?? (Array.isArray(schema.pipe) ? schema.pipe[0] : undefined))
}

/** Possible values of the parameters that `present` does not have, by name. Parameters without one are omitted. */
export const findOtherValues = (
  route: Route,
  present: Values,
  ids: Values,
): Readonly<Record<string, readonly unknown[]>> =>
  Object.fromEntries(
    parameterFields(route)
      .filter(({ wire }) => !(wire in present))
      .map(({ wire, schema }) => {
        const candidates = [...picklistOptions(schema), ...guesses]
        return [wire, knownValues(ids)[wire] ?? candidates.filter((value) => isValid(schema, value))] as const
      })
      .filter(([, values]) => values.length),
  )

/** The names of all parameters that are not in the path. */
export const parameterNames = (route: Route): readonly string[] => parameterFields(route).map(({ wire }) => wire)
