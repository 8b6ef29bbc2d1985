import { PlatformError, signalNames } from '@forgelet/core'
import type { Seed } from '@forgelet/core/seed'
import * as v from 'valibot'
import {
  createNotFoundError,
  createSnapshotName,
  describeClock,
  describeDelivery,
  describeFault,
  getSnapshot,
  listDeliveries,
  listProjects,
  listUserTokens,
} from './control-results.ts'
import { type ControlRoute, controlRoute, noInput, numericParameter } from './control-route.ts'
import { DurationSchema, durationMessage } from './duration.ts'
import { createExchangeCommand } from './exchange-command.ts'
import type { ExchangeFilter } from './exchange-filter.ts'
import { FaultSchema } from './fault.ts'
import { readSentParameters } from './sent-parameters.ts'

const maxSnapshots = 64
/** Milliseconds. Proxies end requests that take a minute. */
const maxWaitTimeout = 50_000

const filterParameters = {
  /** Route: `POST /projects/:id/labels` or `/projects/**`, or an operation: `labels.create`. */
  on: v.optional(v.string()),
  /** Method: `POST`. */
  method: v.optional(v.string()),
  /** Path with parameters or wildcards: `/projects/:id/labels`. */
  path: v.optional(v.string()),
  /** Operation: `labels.create`. */
  operation: v.optional(v.string()),
  /** Status of the response: `404`, `4xx`. */
  status: v.optional(v.string()),
  /** Id of the fault that hit the request. */
  fault: numericParameter,
  /** Only requests after the one with this number. */
  after: numericParameter,
}

const timeoutParameter = {
  /** Milliseconds to wait, at most 50,000. Default: 1,000. */
  timeout: numericParameter,
}

/** Removes undefined properties. */
const toFilter = (input: object): ExchangeFilter =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))

/** All routes of the control plane, in the order of its OpenAPI document. */
export const controlRoutes: readonly ControlRoute[] = [
  controlRoute('GET /', 'Overview', noInput, 'URLs of the control plane', ({ world }) => ({
    forgelet: 'control plane',
    description: '/_forgelet/openapi.json',
    state: '/_forgelet/state',
    events: '/_forgelet/events',
    requests: world.journal.written,
  })),
  controlRoute('GET /openapi.json', 'This OpenAPI document', noInput, 'An OpenAPI 3.1 document', ({ describe }) =>
    describe(),
  ),
  controlRoute(
    'GET /state',
    'The state of the world: clock, users with tokens, newest projects, faults, jobs, lanes of jobs, newest deliveries of webhooks, newest e-mails, snapshots and newest requests',
    v.strictObject({
      /** Number of newest requests. Default: 100. */
      requests: numericParameter,
    }),
    'The state',
    async (context, { input: { requests = 100 } }) => {
      const { world, snapshots } = context
      return {
        clock: describeClock(context),
        users: listUserTokens(context),
        projects: await listProjects(context),
        faults: world.faults.all.map(describeFault),
        jobs: await world.platform.jobs.list(),
        lanes: (await world.platform.health()).lanes,
        deliveries: (await listDeliveries(context, 20)).map(describeDelivery),
        mail: world.mail.messages.slice(-20).toReversed(),
        snapshots: [...snapshots.keys()],
        written: world.journal.written,
        requests: requests === 0 ? [] : world.journal.all.slice(-requests),
      }
    },
  ),
  controlRoute(
    'GET /events',
    'Server-sent events: `exchange` for each request, `signal` with the name of each domain event, `world` after each change by the control plane',
    v.strictObject({
      /** Number of the last received event, to resume a stream. */
      after: numericParameter,
    }),
    'text/event-stream',
    ({ streams }, { input: { after }, lastEventId }) => streams.open(after ?? lastEventId),
  ),
  controlRoute(
    'GET /events/wait',
    'Waits for a future domain event, also of another process if the events of the database are delivered across processes',
    v.strictObject({
      /** Name of the domain event: `label.created`. */
      name: v.picklist(signalNames),
      ...timeoutParameter,
    }),
    'Its name and payload; 404 after the timeout',
    async ({ world }, { input: { name, timeout = 1_000 } }) => ({
      name,
      payload: await world.events.waitFor(name, { timeout: Math.min(timeout, maxWaitTimeout) }),
    }),
  ),

  controlRoute(
    'POST /reset',
    'Restores the initial world and clock, removes all faults and empties the journal',
    noInput,
    'The clock',
    async (context) => {
      await context.world.reset()
      return describeClock(context)
    },
  ),
  controlRoute(
    'GET /mail',
    'The sent e-mails, the oldest first; jobs that are due run before',
    v.strictObject({
      /** Address of the recipient. Default: all. */
      to: v.optional(v.string()),
      /** A part of the subject. Default: all. */
      subject: v.optional(v.string()),
    }),
    'A list of messages with `to`, `subject`, `text`, `html` and `headers`',
    async ({ world: { mail } }, { input: { to, subject } }) => {
      await mail.drain()
      return mail.find({ ...(to !== undefined && { to }), ...(subject !== undefined && { subject }) })
    },
  ),
  controlRoute('DELETE /mail', 'Forgets the sent e-mails', noInput, 'Nothing', ({ world }) => world.mail.clear()),
  controlRoute(
    'POST /seed',
    'Adds seed data in one transaction',
    undefined,
    'The created objects, by section and name',
    ({ world }, { input }) => world.seed(input as Seed),
  ),
  controlRoute('GET /snapshots', 'The names of the snapshots', noInput, 'A list of names', ({ snapshots }) => [
    ...snapshots.keys(),
  ]),
  controlRoute(
    'POST /snapshots',
    'Takes a snapshot of the world',
    v.strictObject({
      /** Name for the restore. Default: `snapshot-` and a number. */
      name: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(100))),
    }),
    'Its name and size',
    async (context, { input: { name = createSnapshotName(context) } }) => {
      const { world, snapshots } = context
      if (snapshots.size >= maxSnapshots && !snapshots.has(name)) {
        throw new PlatformError('conflict', `At most ${maxSnapshots} snapshots can be stored: delete one first`)
      }
      const snapshot = await world.snapshot()
      snapshots.set(name, snapshot)
      return { name, bytes: snapshot.image.length }
    },
  ),
  controlRoute(
    'POST /snapshots/:name/restore',
    'Restores a snapshot, removes all faults and empties the journal',
    noInput,
    'The clock',
    async (context, { name }) => {
      await context.world.restore(getSnapshot(context, name))
      return describeClock(context)
    },
  ),
  controlRoute('DELETE /snapshots/:name', 'Deletes a snapshot', noInput, 'Nothing', (context, { name }) => {
    getSnapshot(context, name)
    context.snapshots.delete(name)
  }),

  controlRoute('GET /clock', 'The time of the world', noInput, 'The clock', describeClock),
  controlRoute(
    'PUT /clock',
    'Sets, freezes or resumes the clock without running jobs',
    v.strictObject({
      /** New time: ISO 8601 or milliseconds since 1970. */
      at: v.optional(v.union([v.string(), v.number()])),
      /** True stops the clock, false resumes it. */
      frozen: v.optional(v.boolean()),
    }),
    'The clock',
    (context, { input: { at, frozen } }) => {
      const { clock } = context.world
      if (frozen === true) clock.freeze(at)
      else if (at !== undefined) clock.set(at)
      if (frozen === false) clock.resume()
      return describeClock(context)
    },
  ),
  controlRoute(
    'POST /clock/advance',
    'Advances the clock and runs each job when it becomes due',
    v.union(
      [DurationSchema, v.strictObject({ to: v.union([v.string(), v.number()]) })],
      `${durationMessage}; or { to: … } with a time`,
    ),
    'The clock, and the number of jobs run',
    async (context, { input }) => {
      const { clock } = context.world
      const ran = 'to' in input ? await clock.advanceTo(input.to) : await clock.advance(input)
      return { ...describeClock(context), jobs: ran }
    },
  ),

  controlRoute('GET /faults', 'The faults', noInput, 'A list of faults', ({ world }) =>
    world.faults.all.map(describeFault),
  ),
  controlRoute('POST /faults', 'Adds a fault', FaultSchema, 'The fault and its id', ({ world }, { input }) =>
    describeFault(world.faults.add(input)),
  ),
  controlRoute('DELETE /faults', 'Removes all faults', noInput, 'Nothing', ({ world }) => world.faults.clear()),
  controlRoute('DELETE /faults/:id', 'Removes a fault', noInput, 'Nothing', ({ world }, { name }) => {
    if (!world.faults.remove(Number(name))) throw createNotFoundError('Fault')
  }),

  controlRoute(
    'GET /journal',
    'Requests that match the filter, the newest last',
    v.strictObject({
      ...filterParameters,
      /** Maximum number of requests. */
      limit: numericParameter,
    }),
    'A list of exchanges',
    ({ world }, { input: { limit, ...filter } }) => {
      const exchanges = world.journal.find(toFilter(filter))
      return limit ? exchanges.slice(-limit) : exchanges
    },
  ),
  controlRoute(
    'GET /journal/wait',
    'Waits for `count` requests that match the filter, including those in the journal',
    v.strictObject({
      ...filterParameters,
      /** Number of requests to wait for. Default: 1. */
      count: numericParameter,
      ...timeoutParameter,
    }),
    'The last of these exchanges; 404 with a list of the received requests after the timeout',
    ({ world }, { input: { count = 1, timeout = 1_000, ...filter } }) =>
      world.journal.waitFor(toFilter(filter), {
        count: Math.max(1, count),
        timeout: Math.min(timeout, maxWaitTimeout),
      }),
  ),
  controlRoute(
    'GET /journal/:id',
    'One request with its parameters and an equivalent command of curl, in which `$TOKEN` is a token of the caller',
    noInput,
    'The exchange; `curl` is null if the journal does not have the whole body as text',
    ({ world, getBaseUrl }, { name }) => {
      const exchange = world.journal.all.find(({ id }) => id === Number(name))
      if (!exchange) throw createNotFoundError('Request')
      const curl = createExchangeCommand(exchange, getBaseUrl()) ?? null
      return { ...exchange, parameters: readSentParameters(exchange), curl }
    },
  ),
  controlRoute('DELETE /journal', 'Empties the journal', noInput, 'Nothing', ({ world }) => world.journal.clear()),

  controlRoute('GET /users', 'Users with known tokens', noInput, 'A list of usernames and tokens', listUserTokens),
  controlRoute(
    'POST /users',
    'Creates a token for a user',
    v.strictObject({
      /** Username of an existing user. */
      username: v.string(),
      /** Name of the token. */
      name: v.optional(v.string(), 'control plane'),
      /** Scopes of the token. Default: `api`. */
      scopes: v.optional(v.array(v.string())),
    }),
    'The username and the token',
    async ({ world }, { input: { username, name, scopes } }) => {
      const { secret } = await world.host.tokens.create({
        user: username,
        name,
        ...(scopes && { scopes: scopes as never }),
      })
      world.registerToken(username, secret)
      return { username, token: secret }
    },
  ),

  controlRoute(
    'POST /ci/finish',
    'Ends all jobs of a pipeline that run or can run, stage by stage. Manual jobs run only if they are named',
    v.strictObject({
      /** Id or full path of the project. */
      project: v.union([v.number(), v.string()]),
      /** Id of the pipeline. */
      pipeline: v.number(),
      /** Results by the name of the job: `success`, `failed`, `canceled` or `skipped`. Default: `success` for all. */
      results: v.optional(v.record(v.string(), v.picklist(['success', 'failed', 'canceled', 'skipped'])), {}),
    }),
    'The pipeline',
    ({ world }, { input }) => world.host.pipelines.finish(input),
  ),
  controlRoute(
    'POST /ci/token',
    'Creates the token of a job, which starts if it is pending. The token is valid until the job ends',
    v.strictObject({
      /** Id or full path of the project. */
      project: v.union([v.number(), v.string()]),
      /** Id of the job. */
      job: v.number(),
    }),
    'The token',
    ({ world }, { input }) => world.host.pipelineJobs.createToken(input),
  ),

  controlRoute('GET /jobs', 'The job queue, ordered by due time', noInput, 'A list of jobs', ({ world }) =>
    world.platform.jobs.list(),
  ),
  controlRoute(
    'GET /deliveries',
    'The newest requests of webhooks, each with its latest response, the newest first',
    v.strictObject({
      /** Maximum number of requests, at most 100. Default: 20. */
      limit: numericParameter,
    }),
    'A list of requests and responses',
    (context, { input: { limit = 20 } }) => listDeliveries(context, Math.max(1, limit)),
  ),
  controlRoute('POST /jobs/drain', 'Runs all due jobs', noInput, 'The number of jobs run', async ({ world }) => ({
    ran: await world.platform.jobs.drain(),
  })),
]
