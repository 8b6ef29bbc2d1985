import type { FakeForge } from '@forgelet/fixtures'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseInput } from '../../packages/core/src/kernel/parse-input.ts'
import { getInputReader } from '../../packages/http/src/request/input-reader.ts'
import { InvalidParametersError, parseQuery } from '../../packages/http/src/request/parameters.ts'
import { routes } from '../../packages/http/src/routes.ts'
import type { Route } from '../../packages/http/src/routing/route.ts'
import { normalizeRoute } from '../coverage/documented-routes.ts'
import { reportFigures } from '../figures.ts'
import { fullSeed, readAllIds } from '../full-seed.ts'
import { dialect, preparedWorld } from '../world.ts'
import { asText, databaseValues, hostileValues } from './hostile-values.ts'
import {
  buildPath,
  createValidRequests,
  formatQuery,
  type RequestValues,
  toFormData,
  toLine,
  type ValidRequests,
} from './valid-requests.ts'

/**
 * Sends hostile input to every route. The response must have a documented shape, must not be a server error, and must not reveal
 * internals. Each request has a hostile value in one parameter and valid values in all others.
 */

let forge: FakeForge
let requests: ValidRequests
let restore: () => Promise<void>
const logged: unknown[] = []
beforeAll(async () => {
  const logger = { info: () => undefined, error: (entry: object) => void logged.push(entry) }
  const prepared = await preparedWorld({ seed: fullSeed, http: { logger } }, readAllIds)
  forge = prepared.forge
  requests = createValidRequests(forge, prepared.prepared)
  restore = prepared.restore
})
afterAll(async () => {
  await forge.close()
  reportFigures('hostile input', { 'hostile requests': checked })
})

let checked = 0

const long = 'x'.repeat(1_000_001)

/** Invalid input; no valid token, after a request that has replaced it; a long query. */
const rejections: readonly number[] = [400, 401, 414]

/**
 * Whether the operation rejects its input, which it does before any statement about it. The requests are sent on SQLite only,
 * with a test of their status.
 */
const isRejectedInput = (route: Route, { path, parameters }: RequestValues): boolean => {
  if (route.rewrite || route.body !== undefined || route.stream !== undefined || toFormData(parameters)) return false
  const texts = Object.fromEntries(Object.entries(path).map(([name, value]) => [name, asText(value ?? 1)]))
  try {
    const sent = route.method === 'GET' ? parseQuery(formatQuery(parameters)) : JSON.parse(JSON.stringify(parameters))
    return parseInput(route.operation, getInputReader(route).read(texts, sent)).problems !== undefined
  } catch (error) {
    if (error instanceof InvalidParametersError) return true
    throw error
  }
}

const shapes = [
  ['message'],
  ['error_code', 'message'],
  ['error'],
  ['error', 'error_description'],
  ['error', 'error_description', 'scope'],
]
const scimShape = [
  ['detail', 'schemas', 'status'],
  ['detail', 'schemas', 'scimType', 'status'],
]

/** Text that must never be in a response. */
const internals =
  /\bat [^"]*\.(ts|js):\d|node_modules|packages\/|SQLITE|sqlite|syntax error|relation "|hushsecret|Cannot read|is not a function/

const faultOf = async (route: Route, response: Response): Promise<string | undefined> => {
  checked++
  const text = await response.text()
  if (response.status >= 500) return `${response.status} ${text.slice(0, 200)}`
  if (response.headers.get('x-content-type-options') !== 'nosniff') return 'nosniff is missing'
  if (response.status < 400) return /hushsecret/.test(text) ? 'contains a secret' : undefined
  if (internals.test(text)) return `reveals internals: ${text.slice(0, 200)}`
  if (text.length > 4_000) return `an error of ${text.length} characters`
  if (!/^application\/(scim\+)?json/.test(response.headers.get('content-type') ?? '')) return 'not JSON'
  const keys = Object.keys(JSON.parse(text)).toSorted().join()
  const allowed = route.path.startsWith('/api/scim') ? scimShape : shapes
  return allowed.some((shape) => shape.join() === keys) ? undefined : `an unknown shape: ${text.slice(0, 200)}`
}

const format = (value: unknown) => {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

const usageCounts = new Map<string, number>()
/** Other values are rejected before any statement, so they are sent on one database only. */
const values = dialect === 'postgres' ? databaseValues : hostileValues

/**
 * The number of routes that receive all values of a parameter, and of the parts into which the values are divided for the others.
 * `FORGELET_HOSTILE_INPUT=long` sets those of `pnpm test:trust`.
 */
const [fullRoutes, parts] = process.env.FORGELET_HOSTILE_INPUT === 'long' ? [2, 6] : [1, 12]

/** The first routes with a parameter receive all hostile values, later ones a part of them in rotation. */
const valuesFor = (name: string): readonly unknown[] => {
  const count = usageCounts.get(name) ?? 0
  usageCounts.set(name, count + 1)
  return count < fullRoutes ? values : values.filter((_, at) => at % parts === count % parts)
}

/** Routes with at least one successful response. */
const succeeded = new Set<string>()

const tryRoute = async (route: Route): Promise<string[]> => {
  const { fields } = getInputReader(route)
  const line = toLine(route)
  const { path, parameters } = await requests.prepare(route)
  const faults: string[] = []
  const check = async (what: string, sent: RequestValues, isRejected = false) => {
    if (isRejected && dialect === 'postgres') return
    const response = await requests.send(route, sent)
    if (response.status < 400) succeeded.add(normalizeRoute(line))
    const fault = await faultOf(route, response)
    if (fault) faults.push(`${what}: ${fault}`)
    if (isRejected && !rejections.includes(response.status))
      faults.push(`${what}: ${response.status} for rejected input`)
  }
  await check('valid values', { path, parameters })
  for (const { wire, inPath } of fields) {
    for (const value of valuesFor(wire)) {
      const sent = inPath
        ? { path: { ...path, [wire]: value === '' ? ' ' : value }, parameters }
        : { path, parameters: { ...parameters, [wire]: value } }
      await check(`${wire} = ${format(value)}`, sent, !inPath && isRejectedInput(route, sent))
    }
  }
  if (route.method !== 'GET') {
    for (const { wire, inPath } of fields) {
      if (inPath || (usageCounts.get(wire) ?? 0) > 1) continue
      const sent = { path, parameters: { ...parameters, [wire]: long } }
      await check(`${wire} is long`, sent, isRejectedInput(route, sent))
    }
  }
  return faults
}

describe('a hostile value in each parameter', () => {
  test.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s',
    async (_, route) => {
      const faults = await tryRoute(route)
      if (route.method !== 'GET') await restore()
      expect([...faults, ...logged.splice(0)]).toEqual([])
      expect(({} as { polluted?: number }).polluted).toBeUndefined()
    },
    180_000,
  )

  test('nearly every route also succeeded with valid input', () => {
    const lines = routes.map(toLine)
    const missed = lines.filter((line) => !succeeded.has(normalizeRoute(line)))
    // Administrators cannot request access and are no bots, the fingerprint is unknown, and seeded snippets have no user agent.
    const cannotSucceed = [
      'GET /job',
      // Only the token of an application is accepted.
      'GET /feature_flags/unleash/:project_id/features',
      'GET /feature_flags/unleash/:project_id/client/features',
      // Only a client key is accepted.
      'POST /error_tracking/collector/api/:project_id/envelope',
      'POST /error_tracking/collector/api/:project_id/store',
      // Only the token of a running job is accepted.
      'PUT /jobs/:job_id',
      'PATCH /jobs/:job_id/trace',
      'POST /jobs/:job_id/artifacts',
      'GET /jobs/:job_id/artifacts',
      // Nothing is marked for deletion.
      'POST /projects/:id/restore',
      'POST /groups/:id/restore',
      // The token that authenticates the calls is not that of a project or group.
      'POST /projects/:id/access_tokens/self/rotate',
      'POST /groups/:id/access_tokens/self/rotate',
      'GET /keys',
      'GET /snippets/:id/user_agent_detail',
      'GET /projects/:id/snippets/:snippet_id/user_agent_detail',
      'POST /groups/:id/access_requests',
      'POST /projects/:id/access_requests',
      'PUT /projects/:id/merge_requests/:merge_request_iid/reset_approvals',
    ]
    const unexpected = missed.filter((line) => !cannotSucceed.includes(line))
    expect(
      unexpected.map(
        (line) =>
          `${line} never succeeded: add an example to packages/http/src/openapi/example-values.ts, and its object to test/full-seed.ts`,
      ),
    ).toEqual([])
    expect(cannotSucceed.filter((line) => !missed.includes(line))).toEqual([])
  })
})

describe.skipIf(dialect === 'postgres')('an invalid body', () => {
  const bodies: [string, string, string | Uint8Array][] = [
    ['truncated JSON', 'application/json', '{"a":'],
    ['JSON nested too deeply', 'application/json', `${'['.repeat(10_000)}`],
    ['an array', 'application/json', '[1,2]'],
    ['a string', 'application/json', '"x"'],
    ['null', 'application/json', 'null'],
    ['names of built-in properties', 'application/json', '{"__proto__":{"polluted":1},"constructor":1,"toString":[]}'],
    ['invalid UTF-8', 'application/json', Uint8Array.of(0x7b, 0xff, 0x7d)],
    ['XML', 'text/xml', '<a/>'],
    ['bytes', 'application/octet-stream', Uint8Array.of(0, 1, 2)],
    ['a form with invalid percent encoding', 'application/x-www-form-urlencoded', 'a=%ZZ&b=%&a[]=1&a[b]=2'],
    ['multipart without a boundary', 'multipart/form-data', 'x'],
    [
      'multipart without an end',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx',
    ],
    ['an unsupported charset', 'application/json; charset=utf-16', '{}'],
    ['an invalid content type', ';;;', '{}'],
  ]
  const writing = routes.filter(({ method }) => method !== 'GET')

  test.each(bodies)('%s', async (_, type, body) => {
    const faults: string[] = []
    for (const route of writing) {
      const scim = route.path.startsWith('/api/scim')
      const response = await forge.fetch(`${forge.url}${buildPath(route, requests.getPath(route))}`, {
        method: route.method,
        headers: {
          ...(scim ? { authorization: 'Bearer acme-scim' } : { 'private-token': 'root-token' }),
          'content-type': type,
        },
        body: body as string,
      })
      const fault = await faultOf(route, response)
      if (fault) faults.push(`${route.method} ${route.path}: ${fault}`)
    }
    await restore()
    expect([...faults, ...logged.splice(0)]).toEqual([])
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })
})

describe.skipIf(dialect === 'postgres')('an invalid query', () => {
  const queries = [
    'a=%ZZ',
    '%',
    '=&=&&&',
    '__proto__[a]=1&constructor[prototype][b]=1',
    'page=1&page[]=2&page[a]=3',
    'per_page[]=1&per_page=2',
    'page=99999999999999999999',
    'per_page=-1',
    `${'a[b]'.repeat(50)}=1`,
    Array.from({ length: 1_500 }, (_, at) => `k${at}=1`).join('&'),
    'private_token=&access_token=',
    `search=${'%25_'.repeat(1_000)}`,
    'sudo=',
  ]
  test.each(queries)('?%s', async (query) => {
    const faults: string[] = []
    for (const route of routes.filter(({ method }) => method === 'GET')) {
      const scim = route.path.startsWith('/api/scim')
      const response = await forge.fetch(`${forge.url}${buildPath(route, requests.getPath(route))}?${query}`, {
        headers: scim ? { authorization: 'Bearer acme-scim' } : { 'private-token': 'root-token' },
      })
      const fault = await faultOf(route, response)
      if (fault) faults.push(`${route.method} ${route.path}: ${fault}`)
    }
    expect([...faults, ...logged.splice(0)]).toEqual([])
  })
})
