import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serving } from '../cli/command-line.ts'
import { createDatabase } from '../support/postgres-database.ts'
import { type PostgresServer, startPostgresServer } from '../support/postgres-server.ts'
import { dialect } from '../world.ts'
import { createSharedData, type SharedData } from './shared-data.ts'

const issueCount = 60
const headers = { 'PRIVATE-TOKEN': 'alice-token', 'Content-Type': 'application/json' }

/** The numbers of the issues whose webhooks have arrived, in their order. */
const delivered: number[] = []
const receiver = createServer(async (request, response) => {
  const { object_attributes } = (await json(request)) as { object_attributes: { iid: number } }
  delivered.push(object_attributes.iid)
  response.end()
}).listen(0, '127.0.0.1')

const servers: Awaited<ReturnType<typeof serving>>[] = []
let database: PostgresServer | undefined
let data: SharedData
beforeAll(async () => {
  if (dialect === 'postgres') database = await startPostgresServer()
  data = await createSharedData(database && (await createDatabase(database.url, 'workers')), 'http://127.0.0.1:9/a.git')
  for (const _ of ['one', 'other']) servers.push(await serving([...data.options, '--log-level', 'silent']))
}, 120_000)
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()))
  await data?.close()
  await database?.remove()
  receiver.closeAllConnections()
  receiver.close()
})

const post = async (server: number, path: string, body: object) => {
  const url = `${servers[server]?.url}/api/v4/projects/acme%2Fweb${path}`
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  expect([path, response.ok]).toEqual([path, true])
  return (await response.json()) as { iid: number }
}

test('two servers on one database run each job once', { timeout: 120_000 }, async () => {
  const { port } = receiver.address() as AddressInfo
  await post(0, '/hooks', { url: `http://127.0.0.1:${port}/`, issues_events: true, push_events: false })
  const created: number[] = []
  const create = async (server: number) => {
    for (let count = 0; count < issueCount / 2; count++)
      created.push((await post(server, '/issues', { title: 'x' })).iid)
  }
  await Promise.all([create(0), create(1)])
  const sorted = (numbers: readonly number[]) => [...numbers].sort((one, other) => one - other)
  await expect.poll(() => delivered.length, { timeout: 60_000 }).toBeGreaterThanOrEqual(issueCount)
  // Both servers look for due jobs every second.
  await pause(2_500)
  expect(sorted(delivered)).toEqual(sorted(created))
  const waiting = await data.query("select id from job where kind = 'hooks.deliver'")
  expect(waiting).toEqual([])
})
