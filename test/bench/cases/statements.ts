import { setTimeout as pause } from 'node:timers/promises'
import { start } from '../child.ts'
import type { Loaded } from '../load-client.ts'
import { atMost, type Line, type Table } from '../table.ts'
import { world, worldCopy } from '../workplace.ts'

/** Statements are prepared while the first requests warm up; from then on none. */
export async function statements(): Promise<Table[]> {
  const known = await world()
  const server = await start<{ port: number }>('./servers/platform-server.ts', [
    await worldCopy('statements.db'),
    'process',
  ])
  const client = await start('./load-client.ts', [])
  try {
    const lines: Line[] = []
    for (const kind of ['get', 'post'] as const) {
      const load = (requests: number, slice: number) =>
        client.ask<Loaded>({ port: server.ready.port, kind, requests, seconds: 10, world: known, slice })
      await load(100, 1)
      // The server's own first round of due jobs is part of warming up.
      await pause(1_500)
      const { prepared: before } = await server.ask<{ prepared: number }>({})
      const { requests, failures } = await load(2_000, 2)
      if (failures) throw new Error(`${failures} requests failed`)
      const { prepared } = await server.ask<{ prepared: number }>({})
      lines.push(atMost(kind.toUpperCase(), [requests, prepared - before], prepared - before, 0))
    }
    return [{ title: 'Statements prepared after warm-up', columns: ['requests', 'prepared'], lines }]
  } finally {
    await Promise.all([server.stop(), client.stop()])
  }
}
