import type { FakeForge } from '@forgelet/fixtures'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../packages/http/src/routes.ts'
import { isConditionalRemoval } from '../../packages/http/src/routing/conditional-removals.ts'
import { fullSeed, readAllIds } from '../full-seed.ts'
import { preparedWorld } from '../world.ts'
import { createValidRequests, toLine, type ValidRequests } from './valid-requests.ts'

/**
 * Sends every removal with a time before and one after the last change of the object. No removal ignores the condition: those that do
 * not know the time are refused.
 */

type World = Awaited<ReturnType<typeof preparedWorld<Awaited<ReturnType<typeof readAllIds>>>>>

let world: World
let forge: FakeForge
let requests: ValidRequests
beforeAll(async () => {
  world = await preparedWorld({ seed: fullSeed }, readAllIds)
  forge = world.forge
  requests = createValidRequests(forge, world.prepared)
}, 120_000)
afterAll(() => forge.close())

/** Values with which a removal changes something. */
const values: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'DELETE /projects/:id/environments/review_apps': { dry_run: false },
  'DELETE /projects/:id/registry/repositories/:repository_id/tags': { name_regex_delete: 'v.*' },
}

const refused = 'If-Unmodified-Since is not supported here, because the time of the last change is not known'

const ignoredTables = ['sqlite_sequence', 'permission_version', 'project_repository']

/**
 * The rows of all tables, except those of sequences and of the folders of repositories. The use of a token and the day of the last
 * activity are recorded after the reply.
 */
const readRows = async () =>
  [...(await world.readRows())]
    .filter(([table]) => !ignoredTables.includes(table))
    .map(([table, rows]) => [
      table,
      [...rows].map((row) => row.replace(/"last_(?:used_at|activity_on)":(?:"[^"]*"|null)/, '')),
    ])

test.each(routes.filter(({ method }) => method === 'DELETE').map((route) => [toLine(route), route] as const))(
  '%s removes nothing that changed since the caller read it',
  async (line, route) => {
    const { path, parameters } = await requests.prepare(route)
    await forge.platform.jobs.drain()
    const sendSince = (time?: number) => {
      const headers = time === undefined ? {} : { 'if-unmodified-since': new Date(time).toUTCString() }
      return requests.send(route, { path, parameters: { ...parameters, ...values[line] } }, headers)
    }
    const before = await readRows()
    const old = await sendSince(Date.UTC(2000, 0, 1))
    await forge.platform.jobs.drain()
    expect(await readRows()).toEqual(before)
    const isConditional = isConditionalRemoval(route)
    const body = await old.json()
    expect(old.status).toBe(isConditional ? 412 : 400)
    expect(body.message ?? body.detail).toBe(isConditional ? '412 Precondition Failed' : refused)
    const later = await sendSince(forge.clock.now() + 60_000)
    expect(later.ok).toBe(isConditional)
    if (!isConditional) expect((await sendSince()).ok).toBe(true)
    await world.restore()
  },
)
