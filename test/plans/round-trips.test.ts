import { createPlatform, type Platform, postgres } from '@forgelet/core'
import { demo, seed } from '@forgelet/core/seed'
import { fetchHandler } from '@forgelet/http'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createDatabase, dropDatabase } from '../support/postgres-database.ts'
import { dialect } from '../world.ts'

/** Round trips of the current call, each with its statements: those that were sent before the reply to the first of them. */
const roundTrips: string[][] = []
let pending = 0

/** Records the statements that it sends. */
class RecordingClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: the overloads of pg
  override query(...args: any[]): any {
    const result = super.query(...(args as [never])) as unknown
    if (!(result instanceof Promise)) return result
    if (pending === 0) roundTrips.push([])
    roundTrips.at(-1)?.push(String(args[0]?.text ?? args[0]))
    pending++
    const settle = () => {
      pending--
    }
    result.then(settle, settle)
    return result
  }
}

const database = `round_trips_${process.pid}`
const project = '/projects/acme%2Fweb'

describe.runIf(dialect === 'postgres')('round trips on PostgreSQL', () => {
  let pool: pg.Pool
  let platform: Platform
  let fetch: (request: Request) => Promise<Response>

  beforeAll(async () => {
    const url = await createDatabase(inject('postgresUrl') as string, database)
    pool = new pg.Pool({ connectionString: url, max: 4, pipeline: true, Client: RecordingClient })
    platform = createPlatform(postgres(pool))
    await seed(platform, demo)
    fetch = fetchHandler(platform)
  })
  afterAll(async () => {
    await platform.close()
    await pool.end()
    await dropDatabase(inject('postgresUrl') as string, database)
  })

  const send = async (route: string, json?: object) => {
    const [method = '', path] = route.split(' ')
    const headers = { 'PRIVATE-TOKEN': 'carol-token', 'Content-Type': 'application/json' }
    const body = json ? JSON.stringify(json) : null
    const response = await fetch(new Request(`http://forge/api/v4${path}`, { method, headers, body }))
    expect(await response.text().then((text) => (response.ok ? '' : text))).toBe('')
  }

  let number = 0
  const createText = () => `text_${++number}`
  const createTriagedIssue = () => {
    const description = 'For @alice and @bob'
    return { title: createText(), description, labels: 'bug,ui', assignee_ids: [1, 2] }
  }

  /**
   * The greatest numbers of round trips and of statements of each call, with those that begin and end its transaction. Reads
   * have one round trip to spare: they run on several connections, whose replies arrive at different times.
   */
  test.each<[string, number, number, (() => object)?]>([
    ['GET /user', 2, 4],
    ['GET /todos', 3, 2],
    ['GET /events', 4, 3],
    ['GET /users/carol/events', 4, 3],
    ['GET /projects', 4, 14],
    [`GET ${project}`, 5, 12],
    [`GET ${project}/members`, 3, 2],
    [`GET ${project}/events`, 4, 5],
    [`GET ${project}/labels`, 3, 2],
    [`GET ${project}/labels?with_counts=true`, 4, 4],
    [`GET ${project}/issues`, 5, 10],
    [`GET ${project}/issues/1`, 7, 11],
    [`GET ${project}/issues/1/notes`, 4, 3],
    [`GET ${project}/issues_statistics`, 3, 2],
    [`POST ${project}/labels`, 6, 6, () => ({ name: createText(), color: 'red' })],
    [`POST ${project}/issues`, 10, 13, () => ({ title: createText() })],
    [`POST ${project}/issues`, 14, 27, createTriagedIssue],
    [`PUT ${project}/issues/1`, 15, 26, () => ({ title: createText() })],
    [`POST ${project}/issues/1/notes`, 10, 15, () => ({ body: createText() })],
    [`POST ${project}/issues/1/notes`, 11, 17, () => ({ body: `@alice and @bob: ${createText()}` })],
    [`POST ${project}/issues/1/discussions`, 11, 17, () => ({ body: createText() })],
    [`POST ${project}/issues/1/award_emoji`, 9, 9, () => ({ name: createText() })],
  ])('%s takes at most %i round trips and %i statements', async (route, most, mostStatements, createBody) => {
    const calls: string[][][] = []
    // The first call fills the caches and prepares the statements.
    for (let call = 0; call < 5; call++) {
      roundTrips.length = 0
      await send(route, createBody?.())
      calls.push(roundTrips.map((statements) => [...statements]))
    }
    // Reads run on several connections, where the replies to statements that were sent together arrive at different times.
    const text = calls.at(-1)?.map((statements) => statements.join('\n'))
    expect(Math.min(...calls.map((trips) => trips.length)), text?.join('\n\n')).toBeLessThanOrEqual(most)
    expect(Math.min(...calls.map((trips) => trips.flat().length)), text?.join('\n')).toBeLessThanOrEqual(mostStatements)
  })
})
