import { type FakeForge, fakeForge, type Seed } from '@forgelet/fixtures'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { firstDocument, place as placed, secondDocument } from '../coverage/documented-routes.ts'

/**
 * The permission table of a family, tried cell by cell over HTTP.
 *
 * One row is one call, then one cell for each caller, in the order of `callers`. A cell is one status for every place, or
 * three joined with `·`: what a public, an internal and a private place answers. A dash leaves a cell out.
 *
 * ```ts
 * permissionTable(`
 *   call                       anonymous  non-member   guest  reporter  developer  maintainer  owner  admin
 *   GET  /projects/:id/labels  200·401·404 200·200·404 200    200       200        200         200    200
 *   POST /projects/:id/labels  401        403·403·404  403    200       200        200         200    200
 * `, { bodies: { 'POST /projects/:id/labels': { name: 'new', color: 'red' } } })
 * ```
 *
 * Each cell meets an untouched world: what succeeded is undone before the next one. Where a private place answers 404 and
 * the public one does not, the reply must also be the one for a place that does not exist, byte for byte.
 *
 * Who has no column follows from those who have one, and is tried along with each row:
 * - an external user is a non-member for whom only public places are open;
 * - a blocked user is refused, whatever the call;
 * - the owner with a token that may only read gets what the owner gets from GET, and is refused otherwise; with a token for
 *   the own person only `personal` calls are open, and with one for other services none at all.
 */

/** Columns of a table. Each but the first is a user of that name, whose token is `<name>-token`. */
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
/** All who sign in and are not turned away: those of the columns, and the external user. */
export const people = [...callers.slice(1), 'external'] as const

/** The three places of a cell. */
export const places = ['public', 'internal', 'private'] as const
type Visibility = (typeof places)[number]

/** Where a cell is tried: the group `public`, `internal` or `private`, and the project `code` in it. */
export interface Place {
  readonly visibility: Visibility
  readonly caller: Caller | 'external'
  readonly group: number
  readonly project: number
  /** Ids of the world's users by username. */
  readonly users: Readonly<Record<string, number>>
}

type Body = Readonly<Record<string, unknown>>
type GroupSeed = NonNullable<Seed['groups']>[number]
type ProjectSeed = NonNullable<Seed['projects']>[number]

export interface TableOptions {
  /** More users; nobody in a column. */
  readonly users?: readonly string[]
  /** What a family needs in each group and project besides their members. */
  readonly group?: (visibility: Visibility) => Partial<Omit<GroupSeed, 'path' | 'visibility'>>
  readonly project?: (visibility: Visibility) => Partial<Omit<ProjectSeed, 'path' | 'visibility'>>
  /** What a seed cannot say, done once the world is planted. */
  readonly prepare?: (forge: FakeForge) => Promise<void>
  /** Values of the path's parameters besides `:id`: `{ user_id: ({ users }) => users.target }`. */
  readonly path?: Readonly<Record<string, (place: Place, forge: FakeForge) => unknown>>
  /** Cells of the external user that do not follow from those of a non-member, by the call. */
  readonly external?: Readonly<Record<string, string>>
  /** Calls that a token for reading one's own person opens. */
  readonly personal?: readonly string[]
  /** What a call sends, by its method and path as the table writes them. */
  readonly bodies?: Readonly<Record<string, Body | ((place: Place, forge: FakeForge) => Body | Promise<Body>)>>
}

const roles = ['guest', 'reporter', 'developer', 'maintainer', 'owner'] as const

/** Tokens of the owner by what they are for. */
const narrow = { reads: 'read_api', self: 'read_user', elsewhere: 'read_registry' } as const

/**
 * The world of a table: three groups of different visibility, each with the project `code`. The five roles are direct
 * members of each group and so inherit the project; `non-member`, `external`, `blocked` and `admin` belong nowhere.
 */
export const matrixWorld = ({ users = [], group, project }: TableOptions): Seed => ({
  users: [...people, 'blocked', ...users].map((username) => ({
    username,
    name: username,
    admin: username === 'admin',
    external: username === 'external',
    blocked: username === 'blocked',
    tokens: [
      { name: 'matrix', secret: `${username}-token`, scopes: ['api'] },
      ...(username === 'owner'
        ? Object.entries(narrow).map(([name, scope]) => ({ name, secret: `${name}-token`, scopes: [scope] }))
        : []),
    ],
  })),
  groups: places.map((visibility) => {
    const { members = [], ...more } = group?.(visibility) ?? {}
    const known = roles.map((role) => ({ user: role, access: role }))
    return { path: visibility, visibility, ...more, members: [...known, ...members] }
  }),
  projects: places.map((visibility) => ({ path: `${visibility}/code`, visibility, ...project?.(visibility) })),
})

/** One row of a table. `cells` has a word for each caller. */
export interface Row {
  readonly call: string
  readonly method: string
  readonly path: string
  readonly cells: Readonly<Record<Caller, string>>
}

const oneCell = /^(-|[1-5][0-9]{2}(·[1-5][0-9]{2}){0,2})$/

/** Reads a table. Lines that begin with no method are headings. */
export function readTable(table: string): Row[] {
  const lines = table.split('\n').map((line) => line.trim())
  return lines
    .filter((line) => /^(GET|POST|PUT|PATCH|DELETE) /.test(line))
    .map((line) => {
      const [method = '', path = '', ...cells] = line.split(/\s+/)
      const wrong = cells.filter((cell) => !oneCell.test(cell) || cell.split('·').length === 2)
      if (cells.length !== callers.length || wrong.length)
        throw new Error(`Not a row of ${callers.length} cells: ${line}`)
      return {
        call: `${method} ${path}`,
        method,
        path,
        cells: Object.fromEntries(callers.map((caller, at) => [caller, cells[at]])) as Record<Caller, string>,
      }
    })
}

/** What a cell demands at a place; undefined where it is left out. */
export const expectedAt = (cell: string, visibility: Visibility): number | undefined => {
  if (cell === '-') return undefined
  const statuses = cell.split('·')
  return Number(statuses[places.indexOf(visibility)] ?? statuses[0])
}

/** Three statuses as a cell writes them. */
const asCell = (statuses: readonly (number | undefined)[]): string =>
  new Set(statuses).size === 1 ? String(statuses[0] ?? '-') : statuses.map((status) => status ?? '-').join('·')

interface Answer {
  readonly status: number
  readonly body: string
  readonly headers: readonly string[]
}

/** Differs from call to call, whatever the reply is. */
const accidental = new Set(['x-request-id', 'x-runtime', 'date'])

const answerOf = async (response: Response): Promise<Answer> => ({
  status: response.status,
  body: await response.text(),
  headers: [...response.headers].filter(([name]) => !accidental.has(name)).map(([name, value]) => `${name}: ${value}`),
})

/** No group and no project has this id. */
const nowhere = 999_999

const addressOf = async (row: Row, place: Place, owner: number, options: TableOptions, forge: FakeForge) => {
  const segments = row.path.split('/').map(async (segment) => {
    if (!segment.startsWith(':')) return segment
    const name = segment.slice(1)
    const value = options.path?.[name]
    if (value) return encodeURIComponent(String(await value(place, forge)))
    if (name === 'id') return String(owner)
    throw new Error(`${row.call}: say in \`path\` what :${name} is`)
  })
  return `${forge.url}${row.path.startsWith('/api/') ? '' : '/api/v4'}${(await Promise.all(segments)).join('/')}`
}

/** Whose token is sent: the caller's, unless it is another one. */
const ask = async (
  forge: FakeForge,
  row: Row,
  place: Place,
  owner: number,
  options: TableOptions,
  token: string = place.caller,
): Promise<Answer> => {
  const given = options.bodies?.[row.call]
  const body = typeof given === 'function' ? await given(place, forge) : given
  const response = await forge.fetch(await addressOf(row, place, owner, options, forge), {
    method: row.method,
    headers: {
      ...(token !== 'anonymous' && { 'PRIVATE-TOKEN': `${token}-token` }),
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  return answerOf(response)
}

const idsOf = async ({ host }: FakeForge, seed: Seed) => {
  const users: Record<string, number> = {}
  for (const { username } of seed.users ?? []) users[username] = (await host.users.get({ user: username })).id
  const at = new Map<Visibility, { group: number; project: number }>()
  for (const visibility of places) {
    const { id: group } = await host.groups.get({ group: visibility })
    const { id: project } = await host.projects.get({ project: `${visibility}/code` })
    at.set(visibility, { group, project })
  }
  return { users, at }
}

const ownerOf = ({ path }: Row, { group, project }: Place) => (path.startsWith('/groups/') ? group : project)

const changes = ({ method }: Row, { status }: Answer) => method !== 'GET' && status < 300

/** Declares one test for each row of a table. */
export function permissionTable(table: string, options: TableOptions = {}): void {
  const seed = matrixWorld(options)
  let forge: FakeForge
  let ids: Awaited<ReturnType<typeof idsOf>>
  beforeAll(async () => {
    forge = await fakeForge({ seed })
    ids = await idsOf(forge, seed)
    await options.prepare?.(forge)
  })
  afterAll(() => forge.close())

  const restore = async () => {
    await forge.reset()
    await options.prepare?.(forge)
  }

  const placeOf = (visibility: Visibility, caller: Place['caller']): Place => ({
    visibility,
    caller,
    users: ids.users,
    ...(ids.at.get(visibility) as { group: number; project: number }),
  })

  const tryOne = async (row: Row, place: Place, owner = ownerOf(row, place)): Promise<Answer> => {
    const answer = await ask(forge, row, place, owner, options)
    if (changes(row, answer)) await restore()
    return answer
  }

  const tryCell = async (row: Row, caller: Place['caller'], cell: string) => {
    const statuses: (number | undefined)[] = []
    for (const visibility of places) {
      const expected = expectedAt(cell, visibility)
      const place = placeOf(visibility, caller)
      const answer = expected === undefined ? undefined : await tryOne(row, place)
      statuses.push(answer?.status)
      // Hidden here and not in public: then it must look like nothing at all.
      if (answer && answer.status === 404 && expected === 404 && expectedAt(cell, 'public') !== 404) {
        expect(answer, `${row.call} as ${caller}: hidden and missing differ`).toEqual(await tryOne(row, place, nowhere))
      }
    }
    return asCell(statuses)
  }

  /** What the owner's other tokens, and those of somebody who is blocked, are answered in a public place. */
  const tryTokens = async (row: Row) => {
    const place = placeOf('public', 'owner')
    const statuses: Record<string, number> = {}
    for (const token of [...Object.keys(narrow), 'blocked']) {
      const answer = await ask(forge, row, place, ownerOf(row, place), options, token)
      if (changes(row, answer)) await restore()
      statuses[token] = answer.status
    }
    return statuses
  }

  for (const row of readTable(table)) {
    tried.add(placed(row.call))
    test(row.call, async () => {
      const seen: Record<string, string> = {}
      for (const caller of callers) seen[caller] = await tryCell(row, caller, row.cells[caller])
      expect(seen).toEqual(row.cells)
      const external = options.external?.[row.call] ?? externalCell(row.cells['non-member'])
      expect(await tryCell(row, 'external', external), 'as an external user').toEqual(external)
      const owner = expectedAt(row.cells.owner, 'public')
      if (owner === 401) {
        // Where people are nobody, all their tokens are unknown.
        expect(new Set(Object.values(await tryTokens(row)))).toEqual(new Set([401]))
      } else if (owner !== undefined) {
        expect(await tryTokens(row), 'with other tokens').toEqual({
          reads: row.method === 'GET' ? owner : 403,
          self: options.personal?.includes(row.call) ? owner : 403,
          elsewhere: 403,
          blocked: 403,
        })
      }
    })
  }
}

/** What an external user is told who is told nothing special. */
const externalCell = (cell: string): string => {
  const hidden = expectedAt(cell, 'private')
  return asCell([expectedAt(cell, 'public'), hidden, hidden])
}

const tried = new Set<string>()

/** Demands that the tables of this file hold every route of these families of the documents. */
export function everyRouteOf(...families: string[]): void {
  test.each(families)('every route of the %s is tried', (family) => {
    const routes = firstDocument[family] ?? secondDocument[family] ?? []
    expect(routes.length).toBeGreaterThan(0)
    expect(routes.filter((line) => !tried.has(placed(line)))).toEqual([])
  })
}
