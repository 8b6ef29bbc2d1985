import { setTimeout as pause } from 'node:timers/promises'
import { start } from '../child.ts'
import type { Load, LoadResult } from '../load-client.ts'
import { atMost, type Line, type Table } from '../table.ts'
import { copyWorld, world } from '../temporary-files.ts'

/** Counts the statements that are prepared after warm-up; the target is none. */
export async function statements(): Promise<Table[]> {
  const data = await world()
  const server = await start<{ port: number }>('./servers/platform-server.ts', [
    await copyWorld('statements.db'),
    'process',
  ])
  const client = await start('./load-client.ts', [])
  try {
    const lines: Line[] = []
    for (const [kind, scenario] of [
      ['GET', 'page'],
      ['POST', 'label'],
    ] as const) {
      const load = (requests: number, slice: number) =>
        client.request<LoadResult>({
          ports: [server.ready.port],
          scenario,
          connections: 16,
          awake: true,
          requests,
          seconds: 10,
          world: data,
          slice,
        } satisfies Load)
      await load(100, 1)
      // The server's first poll for due jobs is part of the warm-up.
      await pause(1_500)
      const { prepared: before } = await server.request<{ prepared: number }>({})
      const { requests, failures } = await load(2_000, 2)
      if (failures) throw new Error(`${failures} requests failed`)
      const { prepared } = await server.request<{ prepared: number }>({})
      lines.push(atMost(kind, [requests, prepared - before], prepared - before, 0, { unit: 'statements' }))
    }
    return [{ title: 'Statements prepared after warm-up', columns: ['requests', 'prepared'], lines }]
  } finally {
    await Promise.all([server.stop(), client.stop()])
  }
}
