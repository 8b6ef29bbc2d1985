import { type FakeForge, fakeForge, type Seed, type Snapshot } from '@forgelet/fixtures'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toFullPath } from '../../packages/http/src/routing/route.ts'
import { routesOf, toRouteLine } from '../coverage/extension-routes.ts'
import { findRequiredExample } from '../example-parameters.ts'

/**
 * The permission table of a family of routes, tested cell by cell over HTTP.
 *
 * A row contains a call and one cell for each caller, in the order of `callers`. A cell is one status for all visibilities, or
 * three statuses joined with `·`: for a public, an internal and a private group or project. A dash skips a cell.
 *
 * ```ts
 * permissionTable(`
 *   call                       anonymous  non-member   guest  reporter  developer  maintainer  owner  admin
 *   GET  /projects/:id/labels  200·401·404 200·200·404 200    200       200        200         200    200
 *   POST /projects/:id/labels  401        403·403·404  403    200       200        200         200    200
 * `, { bodies: { 'POST /projects/:id/labels': { name: 'new', color: 'red' } } })
 * ```
 *
 * Each cell starts with the initial data: the effects of a successful call are reset. If a private group or project responds 404
 * and the public one does not, the response must equal that for a missing group or project, byte for byte.
 *
 * Each row is also tested with callers without a column:
 * - an external user has the cell of a non-member for public, and that of a private project otherwise;
 * - a blocked user receives 403;
 * - the owner with a `read_api` token has the cell of the owner for GET, and 403 otherwise; with a `read_user` token only
 *   `personal` calls are permitted, and with a `read_registry` token none.
 */

/** The columns of a table. Each except the first is a user with this name and the token `<name>-token`. */
export const callers = [
  'anonymous',
  'non-member',
  'guest',
  'reporter',
  'developer',
  'maintainer',
  'owner',
  'admin',
] as const
export type Caller = (typeof callers)[number]
/** All active users: those of the columns, and the external user. */
export const signedInCallers = [...callers.slice(1), 'external'] as const

/** The three visibilities of a cell. */
export const visibilities = ['public', 'internal', 'private'] as const
type Visibility = (typeof visibilities)[number]

/** The target of a cell: the group `public`, `internal` or `private`, and the project `code` in it. */
export interface Target {
  readonly visibility: Visibility
  readonly caller: Caller | 'external'
  readonly group: number
  readonly project: number
  /** User ids by username. */
  readonly users: Readonly<Record<string, number>>
}

/** Sent as JSON; form data as a multipart body. */
type Body = Readonly<Record<string, unknown>> | FormData
type GroupSeed = NonNullable<Seed['groups']>[number]
type ProjectSeed = NonNullable<Seed['projects']>[number]

export interface TableOptions {
  /** Additional users without a column. */
  readonly users?: readonly string[]
  /** Additional seed data of each group and project. */
  readonly group?: (visibility: Visibility) => Partial<Omit<GroupSeed, 'path' | 'visibility'>>
  readonly project?: (visibility: Visibility) => Partial<Omit<ProjectSeed, 'path' | 'visibility'>>
  /** Runs after seeding, for data that a seed cannot describe. */
  readonly prepare?: (forge: FakeForge) => Promise<void>
  /** Values of path parameters other than `:id`: `{ user_id: ({ users }) => users.target }`. */
  readonly path?: Readonly<Record<string, (target: Target, forge: FakeForge) => unknown>>
  /** Cells of the external user that differ from the rule above, by call. */
  readonly external?: Readonly<Record<string, string>>
  /** Calls that a `read_user` token permits. */
  readonly personal?: readonly string[]
  /** Request bodies by method and path of the call. Default: the example of the OpenAPI document, if the route requires a body. */
  readonly bodies?: Readonly<Record<string, Body | ((target: Target, forge: FakeForge) => Body | Promise<Body>)>>
}

const roles = ['guest', 'reporter', 'developer', 'maintainer', 'owner'] as const

/** Additional tokens of the owner, by name. */
const scopedTokens = { reads: 'read_api', self: 'read_user', registry: 'read_registry' } as const

/**
 * The seed of a table: three groups of different visibility, each with the project `code`. The five roles are direct members of
 * each group and inherited members of the project; `non-member`, `external`, `blocked` and `admin` have no memberships.
 */
export const matrixWorld = ({ users = [], group, project }: TableOptions): Seed => ({
  // The tables test roles, not rules of branches.
  settings: { defaultBranchProtection: 1 },
  users: [...signedInCallers, 'blocked', ...users].map((username) => ({
    username,
    name: username,
    admin: username === 'admin',
    external: username === 'external',
    blocked: username === 'blocked',
    tokens: [
      { name: 'matrix', secret: `${username}-token`, scopes: ['api'] },
      ...(username === 'owner'
        ? Object.entries(scopedTokens).map(([name, scope]) => ({ name, secret: `${name}-token`, scopes: [scope] }))
        : []),
    ],
  })),
  groups: visibilities.map((visibility) => {
    const { members = [], ...rest } = group?.(visibility) ?? {}
    const roleMembers = roles.map((role) => ({ user: role, access: role }))
    return { path: visibility, visibility, ...rest, members: [...roleMembers, ...members] }
  }),
  projects: visibilities.map((visibility) => ({ path: `${visibility}/code`, visibility, ...project?.(visibility) })),
})

/** One row of a table. */
export interface Row {
  readonly call: string
  readonly method: string
  readonly path: string
  readonly cells: Readonly<Record<Caller, string>>
}

const cellPattern = /^(-|[1-5][0-9]{2}(·[1-5][0-9]{2}){0,2})$/

/** Parses a table. Lines that do not begin with a method are skipped. */
export function readTable(table: string): Row[] {
  const lines = table.split('\n').map((line) => line.trim())
  return lines
    .filter((line) => /^(GET|POST|PUT|PATCH|DELETE) /.test(line))
    .map((line) => {
      const [method = '', path = '', ...cells] = line.split(/\s+/)
      const invalid = cells.filter((cell) => !cellPattern.test(cell) || cell.split('·').length === 2)
      if (cells.length !== callers.length || invalid.length)
        throw new Error(`Not a row of ${callers.length} cells: ${line}`)
      return {
        call: `${method} ${path}`,
        method,
        path,
        cells: Object.fromEntries(callers.map((caller, at) => [caller, cells[at]])) as Record<Caller, string>,
      }
    })
}

/** The expected status of a cell for a visibility; undefined for a dash. */
export const expectedStatus = (cell: string, visibility: Visibility): number | undefined => {
  if (cell === '-') return undefined
  const statuses = cell.split('·')
  return Number(statuses[visibilities.indexOf(visibility)] ?? statuses[0])
}

/** Formats three statuses as a cell. */
const formatCell = (statuses: readonly (number | undefined)[]): string =>
  new Set(statuses).size === 1 ? String(statuses[0] ?? '-') : statuses.map((status) => status ?? '-').join('·')

interface TestResponse {
  readonly status: number
  readonly body: string
  readonly headers: readonly string[]
}

/** Headers that differ between equal responses. */
const varyingHeaders = new Set(['x-request-id', 'x-runtime', 'date'])

const readResponse = async (response: Response): Promise<TestResponse> => ({
  status: response.status,
  body: await response.text(),
  headers: [...response.headers]
    .filter(([name]) => !varyingHeaders.has(name))
    .map(([name, value]) => `${name}: ${value}`),
})

/** The id of a missing group or project. */
const missingId = 999_999

const urlOf = async (row: Row, target: Target, parentId: number, options: TableOptions, forge: FakeForge) => {
  const segments = row.path.split('/').map(async (segment) => {
    if (!segment.startsWith(':')) return segment
    const name = segment.slice(1)
    const value = options.path?.[name]
    if (value) return encodeURIComponent(String(await value(target, forge)))
    if (name === 'id') return String(parentId)
    throw new Error(`${row.call}: the option \`path\` has no value for :${name}`)
  })
  return `${forge.url}${toFullPath((await Promise.all(segments)).join('/'))}`
}

/** Sends the call of a row with the token of the caller, or with another token. */
const send = async (
  forge: FakeForge,
  row: Row,
  target: Target,
  parentId: number,
  options: TableOptions,
  token: string = target.caller,
): Promise<TestResponse> => {
  const bodyOption = options.bodies?.[row.call] ?? findRequiredExample(row.call)
  const body = typeof bodyOption === 'function' ? await bodyOption(target, forge) : bodyOption
  const response = await forge.fetch(await urlOf(row, target, parentId, options, forge), {
    method: row.method,
    headers: {
      ...(token !== 'anonymous' && { 'PRIVATE-TOKEN': `${token}-token` }),
      ...(body && !(body instanceof FormData) && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: body instanceof FormData ? body : JSON.stringify(body) }),
  })
  return readResponse(response)
}

const readIds = async ({ host }: FakeForge, seed: Seed) => {
  const users: Record<string, number> = {}
  for (const { username } of seed.users ?? []) users[username] = (await host.users.get({ user: username })).id
  const targets = new Map<Visibility, { group: number; project: number }>()
  for (const visibility of visibilities) {
    const { id: group } = await host.groups.get({ group: visibility })
    const { id: project } = await host.projects.get({ project: `${visibility}/code` })
    targets.set(visibility, { group, project })
  }
  return { users, targets }
}

const parentIdOf = ({ path }: Row, { group, project }: Target) =>
  /^\/(-\/group|groups)\//.test(path) ? group : project

const changes = ({ method }: Row, { status }: TestResponse) => method !== 'GET' && status < 300

/** Defines one test for each row of a table. */
export function permissionTable(table: string, options: TableOptions = {}): void {
  const seed = matrixWorld(options)
  let forge: FakeForge
  let ids: Awaited<ReturnType<typeof readIds>>
  let initial: Snapshot
  beforeAll(async () => {
    forge = await fakeForge({ seed })
    ids = await readIds(forge, seed)
    await options.prepare?.(forge)
    initial = await forge.snapshot()
  })
  afterAll(() => forge.close())

  const restore = () => forge.restore(initial)

  const targetOf = (visibility: Visibility, caller: Target['caller']): Target => ({
    visibility,
    caller,
    users: ids.users,
    ...(ids.targets.get(visibility) as { group: number; project: number }),
  })

  const sendAndReset = async (row: Row, target: Target, parentId = parentIdOf(row, target)): Promise<TestResponse> => {
    const response = await send(forge, row, target, parentId, options)
    if (changes(row, response)) await restore()
    return response
  }

  const testCell = async (row: Row, caller: Target['caller'], cell: string) => {
    const statuses: (number | undefined)[] = []
    for (const visibility of visibilities) {
      const expected = expectedStatus(cell, visibility)
      const target = targetOf(visibility, caller)
      const response = expected === undefined ? undefined : await sendAndReset(row, target)
      statuses.push(response?.status)
      // Hidden here but not in public: the response must equal that of a missing one.
      if (response && response.status === 404 && expected === 404 && expectedStatus(cell, 'public') !== 404) {
        expect(response, `${row.call} as ${caller}: hidden and missing differ`).toEqual(
          await sendAndReset(row, target, missingId),
        )
      }
    }
    return formatCell(statuses)
  }

  /** The statuses of the owner's other tokens and of a blocked user, on public. */
  const testTokens = async (row: Row) => {
    const target = targetOf('public', 'owner')
    const statuses: Record<string, number> = {}
    for (const token of [...Object.keys(scopedTokens), 'blocked']) {
      const response = await send(forge, row, target, parentIdOf(row, target), options, token)
      if (changes(row, response)) await restore()
      statuses[token] = response.status
    }
    return statuses
  }

  for (const row of readTable(table)) {
    testedRoutes.add(toRouteLine(row.call))
    test(row.call, async () => {
      const cells: Record<string, string> = {}
      for (const caller of callers) cells[caller] = await testCell(row, caller, row.cells[caller])
      expect(cells).toEqual(row.cells)
      const external = options.external?.[row.call] ?? externalCell(row.cells['non-member'])
      expect(await testCell(row, 'external', external), 'as an external user').toEqual(external)
      const owner = expectedStatus(row.cells.owner, 'public')
      if (owner === 401) {
        // Routes that reject all users reject their tokens as unknown.
        expect(new Set(Object.values(await testTokens(row)))).toEqual(new Set([401]))
      } else if (owner !== undefined) {
        expect(await testTokens(row), 'with other tokens').toEqual({
          reads: row.method === 'GET' ? owner : 403,
          self: options.personal?.includes(row.call) ? owner : 403,
          registry: 403,
          blocked: 403,
        })
      }
    })
  }
}

/** The default cell of an external user. */
const externalCell = (cell: string): string => {
  const hidden = expectedStatus(cell, 'private')
  return formatCell([expectedStatus(cell, 'public'), hidden, hidden])
}

const testedRoutes = new Set<string | undefined>()

/** Requires a row in the tables of this file for every route of these families, documented or an extension. */
export function everyRouteOf(...families: string[]): void {
  test.each(families)('every route of %s is tested', (family) => {
    const routes = routesOf(family)
    expect(routes.length).toBeGreaterThan(0)
    const missing = routes.filter((line) => !testedRoutes.has(line))
    expect(missing.map((line) => `${line} has no permission row: add one to a permissionTable of this file`)).toEqual(
      [],
    )
  })
}
