import { createPlatform, type Platform, postgres } from '@forgelet/core'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { forgelet, serving } from '../cli/command-line.ts'
import { createDatabase } from '../support/postgres-database.ts'
import { dialect } from '../world.ts'

const labels = '/api/v4/projects/acme%2Fweb/labels'
const headers = { 'PRIVATE-TOKEN': 'alice-token', 'Content-Type': 'application/json' }
const eventually = { timeout: 15_000, interval: 20 }

let databases = 0
let url: string
let args: readonly string[]
let cleanups: (() => unknown)[] = []

/** A platform in this process. */
const open = (consumer?: string) => {
  const platform = createPlatform(postgres(url, { events: consumer === undefined ? true : { consumer } }))
  cleanups.push(() => platform.close())
  return platform
}
const receiveLabels = (platform: Platform) => {
  const received: string[] = []
  platform.on('label.created', ({ label }) => void received.push(label.name))
  return received
}
const create = (server: string, name: string) =>
  fetch(`${server}${labels}`, { method: 'POST', headers, body: JSON.stringify({ name, color: 'teal' }) })

describe.skipIf(dialect === 'sqlite')('domain events of several processes', () => {
  beforeEach(async () => {
    url = await createDatabase(inject('postgresUrl') as string, `process_events_${process.pid}_${++databases}`)
    args = ['--database', url, '--database-events']
    expect((await forgelet(['seed', 'demo', ...args])).code).toBe(0)
  })
  afterEach(async () => {
    for (const cleanup of cleanups.reverse()) await cleanup()
    cleanups = []
  })

  it('reach a platform in this process, a waiter and the live page of another server', async () => {
    const platform = open()
    const received = receiveLabels(platform)
    await platform.ready()
    const [writer, reader] = await Promise.all([serving(args), serving([...args, '--control'])])

    const stream = await fetch(`${reader.url}/_forgelet/events`)
    const waiting = fetch(`${reader.url}/_forgelet/events/wait?name=label.created&timeout=20000`)
    // The journal contains requests to the control plane only when they end: the state shows that the waiter was received.
    await fetch(`${reader.url}/_forgelet/state`)
    expect((await create(writer.url, 'shared')).status).toBe(200)
    expect(await (await waiting).json()).toMatchObject({
      name: 'label.created',
      payload: { label: { name: 'shared' } },
    })
    await expect.poll(() => received, eventually).toEqual(['shared'])

    let text = ''
    for await (const chunk of stream.body ?? []) {
      text += Buffer.from(chunk).toString()
      if (text.includes('event: signal\ndata: {"name":"label.created"}')) break
    }
    expect(text).not.toContain('event: exchange')

    const metrics = await (await fetch(`${writer.url}/-/metrics`)).text()
    expect(metrics).toContain('\nforgelet_events_connected 1\n')
    expect(metrics).toContain('\nforgelet_events_delay_seconds 0\n')
    await Promise.all([writer.stop(), reader.stop()])
  }, 60_000)

  it('are delivered for every acknowledged write of a server that is killed', async () => {
    const consumer = open('test')
    await consumer.ready()
    await consumer.close()
    const acknowledged: string[] = []
    for (let round = 1; round <= 3; round++) {
      const { url: server, child, ended } = await serving(args)
      const write = async (lane: number) => {
        for (let count = 1; ; count++) {
          const name = `label-${round}-${lane}-${count}`
          const response = await create(server, name).catch(() => undefined)
          if (!response) return
          if (response.status === 200) acknowledged.push(name)
        }
      }
      const writers = [1, 2, 3].map(write)
      await expect.poll(() => acknowledged.length, eventually).toBeGreaterThan(round * 15)
      child.kill('SIGKILL')
      await Promise.all([ended, ...writers])
    }
    const again = open('test')
    const received = receiveLabels(again)
    await again.ready()
    await expect.poll(async () => (await again.health()).store.events?.delaySeconds, eventually).toBe(null)
    const client = new pg.Client(url)
    await client.connect()
    const stored = await client.query("select name from label where name like 'label-%' order by id")
    await client.end()
    // A killed server may have committed writes without acknowledging them.
    const names = stored.rows.map(({ name }) => name as string)
    await expect.poll(() => received.toSorted(), eventually).toEqual(names.toSorted())
    expect(acknowledged.filter((name) => !received.includes(name))).toEqual([])
    expect(new Set(received).size).toBe(received.length)
  }, 90_000)

  it('wait for a consumer that does not run, which doctor reports', async () => {
    const consumer = open('indexer')
    await consumer.ready()
    await consumer.close()
    const client = new pg.Client(url)
    await client.connect()
    await client.query(
      "insert into signal_outbox (name, payload, created_at) values ('label.created', '{}', '2026-01-01T00:00:00.000Z')",
    )
    await client.end()
    const { stdout, code } = await forgelet(['doctor', '--database', url])
    expect(stdout).toMatch(
      /WRONG {2}event consumers: do not receive their events\n\s+indexer: 1 waiting, the oldest for \d+ minutes/,
    )
    expect(code).toBe(1)
  }, 60_000)
})
