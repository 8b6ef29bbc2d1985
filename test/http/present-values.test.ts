import type { FakeForge } from '@forgelet/fixtures'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signalNames } from '../../packages/core/src/kernel/signal-names.ts'
import { routes } from '../../packages/http/src/routes.ts'
import type { Route } from '../../packages/http/src/routing/route.ts'
import { fullSeed, readAllIds } from '../full-seed.ts'
import { preparedWorld } from '../world.ts'
import { findOtherValues, parameterNames, readPresentValues } from './present-values.ts'
import { createValidRequests, toLine, type ValidRequests } from './valid-requests.ts'

/**
 * Repeats the requests of every route that updates something, with the values that it has then. Nothing in the database may change,
 * and no domain event may follow.
 */

type World = Awaited<ReturnType<typeof preparedWorld<Awaited<ReturnType<typeof readAllIds>>>>>

let forge: FakeForge
let requests: ValidRequests
let world: World
const deliveries: { readonly changes?: object }[] = []
const hooks = async (request: Request) => {
  if (new URL(request.url).host === 'all.example.com') deliveries.push(await request.json())
  return new Response()
}
beforeAll(async () => {
  world = await preparedWorld({ seed: fullSeed, hooks }, readAllIds)
  forge = world.forge
  requests = createValidRequests(forge, world.prepared)
}, 120_000)
afterAll(() => forge.close())

/**
 * Tables that statements without an effect change, that of the folders of repositories, which snapshots copy, and audit events, which
 * record calls that succeed, whether or not they change something.
 */
const ignoredTables = ['audit_event', 'sqlite_sequence', 'permission_version', 'project_repository']

/** The changed rows of each table. */
const compareRows = (before: Awaited<ReturnType<World['readRows']>>, after: typeof before) => {
  const tables = [...new Set([...before.keys(), ...after.keys()])].filter((name) => !ignoredTables.includes(name))
  return Object.fromEntries(
    tables
      .map((name) => {
        const [old, now] = [new Set(before.get(name)), new Set(after.get(name))]
        return [
          name,
          { removed: [...old].filter((row) => !now.has(row)), added: [...now].filter((row) => !old.has(row)) },
        ] as const
      })
      .filter(([, { removed, added }]) => removed.length + added.length > 0),
  )
}

type Values = Readonly<Record<string, unknown>>

const readJson = async (response: Response): Promise<Values> =>
  response.headers.get('content-type')?.includes('json') ? ((await response.json()) ?? {}) : {}

/** Sends a request a minute later. Returns the reply, the changed rows and the domain events. */
const observe = async (send: () => Promise<Response>) => {
  await forge.hooks.drain()
  await forge.platform.jobs.drain()
  await forge.clock.advance({ minutes: 1 })
  const before = await world.readRows()
  const signals: string[] = []
  const endings = signalNames.map((name) => forge.platform.on(name, () => void signals.push(name)))
  const response = await send()
  for (const end of endings) end()
  const changes = compareRows(before, await world.readRows())
  return { status: response.status, reply: await readJson(response), changes, signals }
}

/** The reply of the route that reads the object. */
const readObject = async ({ path }: Route, values: Values): Promise<Values> => {
  const route = routes.find((other) => other.method === 'GET' && other.path === path)
  const response = route && (await requests.send(route, { path: values, parameters: {} }))
  return response?.ok ? readJson(response) : {}
}

/** Sets as many parameters as the route accepts in one request, and returns them. `optional`: possible values of each. */
const setAll = async (
  route: Route,
  path: Values,
  required: Values,
  optional: Readonly<Record<string, readonly unknown[]>>,
): Promise<Values> => {
  const accepts = async (parameters: Values) => (await requests.send(route, { path, parameters })).ok
  const first = Object.entries(optional).map(([name, [value]]) => [name, value] as const)
  const all = { ...Object.fromEntries(first), ...required }
  if (await accepts(all)) return all
  let accepted = required
  for (const [name, values] of Object.entries(optional)) {
    for (const value of values) {
      if (name in accepted || !(await accepts({ ...accepted, [name]: value }))) continue
      accepted = { ...accepted, [name]: value }
    }
  }
  return accepted
}

const isUpdate = ({ method }: Route) => method === 'PUT' || method === 'PATCH'

/** Updates that do something each time they are requested. */
const repeatedUpdates: Readonly<Record<string, string>> = {
  'PUT /projects/:id/repository/files/:file_path': 'adds a commit, which can be empty',
  'PUT /projects/:id/packages/generic/:package_name/:package_version/:file_name': 'publishes another file',
}

/** Updates that cannot be requested again. */
const refusedUpdates: Readonly<Record<string, string>> = {
  'PUT /projects/:id/labels/:label_id/promote': 'the label is one of the group',
  'PUT /projects/:id/labels/promote': 'the label is one of the group',
  'PUT /groups/:id/access_requests/:user_id/approve': 'the request has ended',
  'PUT /projects/:id/access_requests/:user_id/approve': 'the request has ended',
  'PUT /projects/:id/merge_requests/:merge_request_iid/merge': 'it is merged',
  'PUT /projects/:id/merge_requests/:merge_request_iid/draft_notes/:draft_note_id/publish': 'it is a note',
  'PUT /suggestions/:id/apply': 'it is applied',
  'PUT /suggestions/batch_apply': 'they are applied',
  'PUT /projects/:id/merge_requests/:merge_request_iid/reset_approvals': 'for bots only',
  'PUT /projects/:id/transfer': 'the project has another path',
  'PATCH /users/:id/disable_two_factor': 'no user has a second factor',
  'PUT /projects/:id/repository/submodules/:submodule': 'the submodule has that commit already',
  'PUT /jobs/:job_id': 'only with the token of a running job',
  'PATCH /jobs/:job_id/trace': 'only with the token of a running job',
}

/** Parameters that an update with the present values cannot have. */
const omittedParameters: Readonly<Record<string, string>> = {
  clear_status_after: 'counts from the request',
  last_commit_id: 'the first request makes another commit',
  start_branch: 'the branch exists',
  start_project: 'only with a new branch',
  label_id: 'the same as the required name',
  slug: 'cannot be changed',
  certificate: 'tested with the domains',
  key: 'tested with the domains',
  avatar: 'PUT /user/avatar has it',
  logo: 'a file',
  header_logo: 'a file',
  favicon: 'a file',
  pwa_icon: 'a file',
  mirror_branch_regex: 'instead of only the protected branches',
  parent_id: 'the epic of this test has children of its own only',
  external_auth_client_key: 'requires a certificate',
  position: 'of a comment on a diff, which replies do not contain',
  resolved: 'only merge requests have it',
  files: 'are changed by actions',
  filter: 'selects a variable',
  direct_asset_path: 'the same as filepath',
  milestone_ids: 'instead of milestones',
  container_expiration_policy_attributes: 'replies name it container_expiration_policy',
  custom_headers: 'replies do not contain the values',
  url_variables: 'replies do not contain the values',
}

describe('an update with the present values changes nothing', () => {
  test.each(routes.filter(isUpdate).map((route) => [toLine(route), route] as const))(
    '%s',
    async (line, route) => {
      const prepared = await requests.prepare(route)
      const { path } = prepared
      const required = { ...prepared.parameters, ...(line.includes('/scim/') && { externalId: path.id }) }
      const reply = await readJson(await requests.send(route, { path, parameters: required }))
      const present = readPresentValues(route, { ...reply, ...(await readObject(route, path)) })
      const optional = Object.entries({
        ...Object.fromEntries(Object.entries(present).map(([name, value]) => [name, [value]])),
        ...findOtherValues(route, { ...present, ...required }, world.prepared),
      }).filter(([name]) => !(name in omittedParameters))
      const sent = await setAll(route, path, required, Object.fromEntries(optional))
      const { status, changes, signals } = await observe(() => requests.send(route, { path, parameters: sent }))
      await world.restore()
      const unset = parameterNames(route).filter((name) => !(name in sent) && !(name in omittedParameters))
      expect(status >= 400).toBe(line in refusedUpdates)
      if (line in repeatedUpdates) expect(changes).not.toEqual({})
      else expect({ changes, signals }).toEqual({ changes: {}, signals: [] })
      if (!(line in refusedUpdates)) expect(unset).toEqual([])
    },
    60_000,
  )
})

/** Calls of operations without a route that set what an object already has. */
const libraryCalls = {
  'pipelineJobs.update': ({ pipelineJobs }) =>
    pipelineJobs.update({
      project: 'acme/web',
      job: Number(world.prepared.job_id),
      status: 'failed',
      failureReason: 'runner_system_failure',
      coverage: 12.5,
    }),
} satisfies Readonly<Record<string, (host: FakeForge['host']) => Promise<unknown>>>

describe('a second call with the present values changes nothing', () => {
  test.each(Object.entries(libraryCalls))('%s', async (_name, call) => {
    await call(forge.host)
    const { changes, signals } = await observe(async () => Response.json((await call(forge.host)) ?? {}))
    await world.restore()
    expect({ changes, signals }).toEqual({ changes: {}, signals: [] })
  })
})

/** Requests that do something each time without adding an object with an id. */
const repeatedActions: Readonly<Record<string, string>> = {
  'POST /projects/:id/merge_requests/:merge_request_iid/draft_notes/bulk_publish': 'adds the comment of the review',
  'POST /projects/:id/export': 'exports the present state',
  'POST /groups/:id/export': 'exports the present state',
  'POST /projects/:id/housekeeping': 'queues the work',
  'POST /projects/:id/remote_mirrors/:mirror_id/sync': 'queues the work',
  'POST /projects/:id/mirror/pull': 'queues the work',
  'POST /projects/:id/issues/:issue_iid/add_spent_time': 'adds the time',
  'POST /projects/:id/merge_requests/:merge_request_iid/add_spent_time': 'adds the time',
  'POST /projects/:id/releases/:tag_name/evidence': 'records the present state',
  'POST /personal_access_tokens/:id/rotate': 'a second use of a replaced token revokes the new one',
  'POST /projects/:id/access_tokens/:token_id/rotate': 'a second use of a replaced token revokes the new one',
  'POST /groups/:id/access_tokens/:token_id/rotate': 'a second use of a replaced token revokes the new one',
  'POST /groups/:id/sso/scim_tokens/:token_id/rotate': 'creates another secret',
  ...Object.fromEntries(
    ['projects', 'groups'].flatMap((owner) => [
      [`POST /${owner}/:id/hooks/:hook_id/events/:hook_event_id/resend`, 'sends the event'],
      [`POST /${owner}/:id/hooks/:hook_id/test/:trigger`, 'sends an event'],
    ]),
  ),
  'POST /hooks/:hook_id': 'sends an event',
  'POST /runners/verify': 'records the time of the contact',
  'POST /jobs/request': 'records the time of the contact',
  'POST /runners/reset_registration_token': 'creates another token',
  'POST /groups/:id/runners/reset_registration_token': 'creates another token',
  'POST /projects/:id/runners/reset_registration_token': 'creates another token',
  'POST /runners/:runner_id/reset_authentication_token': 'creates another token',
  'POST /applications/:id/renew-secret': 'creates another secret',
  'POST /projects/:id/pipeline_schedules/:pipeline_schedule_id/play': 'creates a pipeline',
  'POST /projects/:id/repository/commits/:sha/comments': 'adds a comment',
  'POST /projects/:id/uploads': 'adds a file',
  'POST /projects/:id/wikis/attachments': 'adds a file',
  'POST /groups/:id/wikis/attachments': 'adds a file',
}

describe('a second request that sets a state changes nothing', () => {
  test.each(routes.filter(({ method }) => method === 'POST').map((route) => [toLine(route), route] as const))(
    '%s',
    async (line, route) => {
      const values = await requests.prepare(route)
      const { id } = await readJson(await requests.send(route, values))
      const { reply, changes, signals } = await observe(() => requests.send(route, values))
      await world.restore()
      if (line in repeatedActions) expect(changes).not.toEqual({})
      else if (reply.id === id) expect({ changes, signals }).toEqual({ changes: {}, signals: [] })
    },
    60_000,
  )
})

/** The values of one field that differ from those of the seed, and its name in the property `changes` of events. */
const changedFields: readonly (readonly [route: string, field: string, value: unknown, name: string])[] = [
  'PUT /projects/:id/issues/:issue_iid',
  'PUT /projects/:id/merge_requests/:merge_request_iid',
].flatMap((line) => [
  [line, 'title', 'Another title', 'title'],
  [line, 'description', 'Another text', 'description'],
  [line, 'discussion_locked', true, 'discussion_locked'],
  [line, 'labels', ['another'], 'labels'],
  [line, 'assignee_ids', [1], 'assignees'],
  [line, 'milestone_id', 2, 'milestone_id'],
])

describe('an update that repeats all values but one reports only that one', () => {
  test.each(changedFields)('%s: %s', async (line, field, value, name) => {
    await forge.host.hooks.create({
      project: 'acme/web',
      url: 'https://all.example.com/',
      issuesEvents: true,
      mergeRequestsEvents: true,
    })
    const route = routes.find((other) => toLine(other) === line)
    if (!route) throw new Error(`${line} is no route`)
    const path = requests.getPath(route)
    // An administrator would repeat the time of the last change, too.
    const { updated_at: _time, ...present } = readPresentValues(route, await readObject(route, path))
    deliveries.length = 0
    const { status, changes } = await observe(() =>
      requests.send(route, { path, parameters: { ...present, [field]: value } }),
    )
    await forge.hooks.drain()
    await world.restore()
    expect(status).toBe(200)
    const reported = deliveries.map((delivery) => Object.keys(delivery.changes ?? {}).toSorted())
    expect(reported).toEqual([[name, 'updated_at'].toSorted()])
    expect('resource_event' in changes).toBe(field === 'labels' || field === 'milestone_id')
  })
})
