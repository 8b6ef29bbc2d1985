import { PlatformError } from '@forgelet/core'
import type { Seed } from '@forgelet/core/seed'
import * as v from 'valibot'
import { type Controlled, type ControlRoute, control, none, numeric } from './control-route.ts'
import { DurationSchema } from './duration.ts'
import type { ExchangeFilter } from './exchange.ts'
import { FaultSchema } from './fault.ts'
import type { FaultHandle } from './faults.ts'

const mostSnapshots = 64

const clockOf = ({ world: { clock } }: Controlled) => ({
  now: new Date(clock.now()).toISOString(),
  frozen: clock.frozen,
})

const shownFault = ({ id, fault, seen, hit }: FaultHandle) => ({ id, seen, hit, fault })

const castOf = ({ world: { tokens } }: Controlled) =>
  Object.entries(tokens).map(([username, token]) => ({ username, token }))

const projectsOf = async ({ world: { host } }: Controlled) => {
  const { items } = await host.projects.list({ perPage: 100 })
  return items.map(({ id, fullPath, visibility, archived }) => ({ id, path: fullPath, visibility, archived }))
}

const missing = (kind: string) => new PlatformError('not_found', `There is no such ${kind.toLowerCase()}`, { kind })

const snapshotOf = ({ snapshots }: Controlled, name: string) => {
  const found = snapshots.get(name)
  if (!found) throw missing('Snapshot')
  return found
}

const Filter = {
  on: v.optional(v.string()),
  method: v.optional(v.string()),
  path: v.optional(v.string()),
  operation: v.optional(v.string()),
  status: v.optional(v.string()),
  fault: numeric,
  after: numeric,
}

/** Filters in a query are given by their names; what is not given is no condition. */
const filterOf = (given: object): ExchangeFilter =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))

const Scopes = v.optional(v.array(v.string()))

/** Everything that the control plane can do, in the order of its description. */
export const controlRoutes: readonly ControlRoute[] = [
  control('GET /', 'What there is', none, 'Addresses of the control plane', ({ world }) => ({
    forgelet: 'control plane',
    description: '/_forgelet/openapi.json',
    state: '/_forgelet/state',
    events: '/_forgelet/events',
    requests: world.journal.written,
  })),
  control('GET /openapi.json', 'This description', none, 'An OpenAPI 3.1 document', ({ describe }) => describe()),
  control(
    'GET /state',
    'Everything about the world at once: clock, cast, newest projects, faults, jobs, snapshots and newest requests',
    v.strictObject({ requests: numeric }),
    'The state',
    async (controlled, { input: { requests = 100 } }) => {
      const { world, snapshots } = controlled
      return {
        clock: clockOf(controlled),
        cast: castOf(controlled),
        projects: await projectsOf(controlled),
        faults: world.faults.all.map(shownFault),
        jobs: await world.platform.jobs.list(),
        snapshots: [...snapshots.keys()],
        written: world.journal.written,
        requests: requests === 0 ? [] : world.journal.all.slice(-requests),
      }
    },
  ),
  control(
    'GET /events',
    'A stream of server-sent events: `exchange` for each request, `world` after each change from here',
    v.strictObject({ after: numeric }),
    'text/event-stream',
    ({ streams }, { input: { after }, lastEventId }) => streams.open(after ?? lastEventId),
  ),

  control(
    'POST /reset',
    'Back to the world it started with, without faults, with an empty journal',
    none,
    'The clock',
    async (controlled) => {
      await controlled.world.reset()
      return clockOf(controlled)
    },
  ),
  control(
    'POST /seed',
    'Adds a world that is written down: all of it or nothing',
    undefined,
    'What was made, by section and name',
    ({ world }, { input }) => world.seed(input as Seed),
  ),
  control('GET /snapshots', 'The names of the snapshots', none, 'A list of names', ({ snapshots }) => [
    ...snapshots.keys(),
  ]),
  control(
    'POST /snapshots',
    'Keeps the world as it stands, under a name',
    v.strictObject({ name: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(100))) }),
    'Its name and size',
    async ({ world, snapshots }, { input: { name = `snapshot-${snapshots.size + 1}` } }) => {
      if (snapshots.size >= mostSnapshots && !snapshots.has(name)) {
        throw new PlatformError('conflict', `At most ${mostSnapshots} snapshots are kept: remove one`)
      }
      const snapshot = await world.snapshot()
      snapshots.set(name, snapshot)
      return { name, bytes: snapshot.image.length }
    },
  ),
  control(
    'POST /snapshots/:name/restore',
    'Goes back to a snapshot, without faults, with an empty journal',
    none,
    'The clock',
    async (controlled, { name }) => {
      await controlled.world.restore(snapshotOf(controlled, name))
      return clockOf(controlled)
    },
  ),
  control('DELETE /snapshots/:name', 'Forgets a snapshot', none, 'Nothing', (controlled, { name }) => {
    snapshotOf(controlled, name)
    controlled.snapshots.delete(name)
  }),

  control('GET /clock', 'What time it is in the world', none, 'The clock', clockOf),
  control(
    'PUT /clock',
    'Moves the clock without running a job, stops it or lets it go on',
    v.strictObject({ at: v.optional(v.union([v.string(), v.number()])), frozen: v.optional(v.boolean()) }),
    'The clock',
    (controlled, { input: { at, frozen } }) => {
      const { clock } = controlled.world
      if (at !== undefined) clock.set(at)
      if (frozen === true) clock.freeze()
      if (frozen === false) clock.resume()
      return clockOf(controlled)
    },
  ),
  control(
    'POST /clock/advance',
    'Moves the clock on and runs every job that falls due on the way, each at its time',
    v.union([DurationSchema, v.strictObject({ to: v.union([v.string(), v.number()]) })]),
    'The clock, and how many jobs ran',
    async (controlled, { input }) => {
      const { clock } = controlled.world
      const ran = 'to' in input ? await clock.advanceTo(input.to) : await clock.advance(input)
      return { ...clockOf(controlled), jobs: ran }
    },
  ),

  control('GET /faults', 'The faults', none, 'A list of faults', ({ world }) => world.faults.all.map(shownFault)),
  control('POST /faults', 'Adds a fault', FaultSchema, 'The fault and its id', ({ world }, { input }) =>
    shownFault(world.faults.add(input)),
  ),
  control('DELETE /faults', 'Removes all faults', none, 'Nothing', ({ world }) => world.faults.clear()),
  control('DELETE /faults/:id', 'Removes a fault', none, 'Nothing', ({ world }, { name }) => {
    if (!world.faults.remove(Number(name))) throw missing('Fault')
  }),

  control(
    'GET /journal',
    'Requests, the newest last; only those that fit what is given',
    v.strictObject({ ...Filter, limit: numeric }),
    'A list of exchanges',
    ({ world }, { input: { limit, ...filter } }) => {
      const found = world.journal.find(filterOf(filter))
      return limit === undefined || limit === 0 ? found : found.slice(-limit)
    },
  ),
  control(
    'GET /journal/wait',
    'Waits until so many requests that fit are answered, those in the journal included',
    v.strictObject({ ...Filter, count: numeric, timeout: numeric }),
    'The last of these exchanges; 404 with a list of what came instead when the time is up',
    ({ world }, { input: { count = 1, timeout = 1_000, ...filter } }) =>
      world.journal.waitFor(filterOf(filter), { count: Math.max(1, count), timeout: Math.min(timeout, 50_000) }),
  ),
  control('DELETE /journal', 'Empties the journal', none, 'Nothing', ({ world }) => world.journal.clear()),

  control(
    'GET /cast',
    'Who is in the world and has a token that is known',
    none,
    'A list of usernames and tokens',
    castOf,
  ),
  control(
    'POST /cast',
    'Issues a token for a user',
    v.strictObject({ username: v.string(), name: v.optional(v.string(), 'control plane'), scopes: Scopes }),
    'The username and the token',
    async ({ world }, { input: { username, name, scopes } }) => {
      const made = await world.host.tokens.create({ user: username, name, ...(scopes && { scopes: scopes as never }) })
      world.introduce(username, made.secret)
      return { username, token: made.secret }
    },
  ),

  control(
    'GET /jobs',
    'What is in the queue of jobs, those that fall due first at the front',
    none,
    'A list of jobs',
    ({ world }) => world.platform.jobs.list(),
  ),
  control('POST /jobs/drain', 'Runs every job that is due', none, 'How many ran', async ({ world }) => ({
    ran: await world.platform.jobs.drain(),
  })),
]
