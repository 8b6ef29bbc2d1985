import { statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createPlatform, sqlite } from '@forgelet/core'
import type Sqlite from 'better-sqlite3'
import { prepared } from '../../../packages/core/src/kernel/prepared.ts'
import { start } from '../child.ts'
import { token } from '../data-file.ts'
import { alternate, median, pairedRatio } from '../measure.ts'
import { atLeast, atMost, type Line, type Table } from '../table.ts'
import { progress, world, worldCopy } from '../workplace.ts'

const Database = createRequire(import.meta.url)('better-sqlite3') as typeof Sqlite

type Durability = 'power' | 'process'

const rounds = 9
const sliceSeconds = 0.15

const perSecond = async (write: (count: number) => unknown): Promise<number> => {
  const start = performance.now()
  const end = start + sliceSeconds * 1_000
  let count = 0
  while (performance.now() < end) await write(count++)
  return (count * 1_000) / (performance.now() - start)
}

const insertText = `insert into label (project_id, group_id, name, color, description, created_at, updated_at)
  values (?, null, ?, '#428BCA', null, ?, ?)`
const now = '2026-11-21T12:00:00.000Z'

/** One domain write does the whole path – token, permission, name check – around the one row that the raw one inserts. */
const writes = async (durability: Durability): Promise<Line> => {
  const { written } = await world()
  const project = (at: number) => written[at % written.length] as number
  const file = new Database(await worldCopy(`raw-${durability}.db`))
  file.pragma('journal_mode = wal')
  file.pragma(`synchronous = ${durability === 'process' ? 'normal' : 'full'}`)
  file.pragma('foreign_keys = on')
  const insert = file.prepare(insertText)
  const platform = createPlatform(sqlite(await worldCopy(`domain-${durability}.db`), { durability }))
  const session = platform.as({ token })
  let count = 0
  const ways = {
    raw: () => perSecond((at) => insert.run(project(at), `raw ${++count}`, now, now)),
    domain: () =>
      perSecond((at) => session.labels.create({ project: project(at), name: `new ${++count}`, color: '#428BCA' })),
  }
  await ways.domain()
  const found = await alternate(['raw', 'domain'], rounds, (name) => ways[name]())
  await platform.close()
  file.close()
  const ratio = pairedRatio(found.domain, found.raw)
  const what = durability === 'power' ? 'writes/s that survive a power cut' : 'writes/s that survive a crash'
  return atLeast(what, [median(found.raw), median(found.domain), ratio], ratio, 0.4)
}

const insertLabel = prepared((db, at: { project: number; name: string; now: string }) =>
  db
    .insertInto('label')
    .values({
      projectId: at.project,
      groupId: null,
      name: at.name,
      color: '#428BCA',
      description: null,
      createdAt: at.now,
      updatedAt: at.now,
    })
    .returning('id'),
)

const walWrites = 50_000

/** A statement with RETURNING that is not read to its end would keep the log from ever being written back. */
const logSize = async (): Promise<Line> => {
  const { written } = await world()
  const path = await worldCopy('wal.db')
  const store = sqlite(path, { durability: 'process' })
  for (let at = 0; at < walWrites; at++) {
    const project = written[at % written.length] as number
    await store.write(async (handle) => insertLabel(handle, { project, name: `row ${at}`, now }))
  }
  const mebibytes = statSync(`${path}-wal`).size / 2 ** 20
  await store.close()
  return atMost(`MiB of log after ${walWrites.toLocaleString('en')} writes`, ['', mebibytes, ''], mebibytes, 16)
}

interface Written {
  readonly written: number
  readonly refused: number
  readonly description: string
}

const together = async (processes: number) => {
  const { written } = await world()
  const project = written[0] as number
  const path = await worldCopy(`shared-${processes}.db`)
  const platform = createPlatform(sqlite(path, { durability: 'process' }))
  await platform.as({ system: 'bench' }).labels.create({ project, name: 'counter', color: '#428BCA', description: '0' })
  const writers = await Promise.all(
    Array.from({ length: processes }, () => start('./servers/writer.ts', [path, '3', String(project)])),
  )
  const results = await Promise.all(writers.map((writer) => writer.ask<Written>({})))
  await Promise.all(writers.map((writer) => writer.stop()))
  const { description } = await platform.as({ system: 'bench' }).labels.get({ project, name: 'counter' })
  await platform.close()
  const sum = (of: (one: Written) => number) => results.reduce((total, one) => total + of(one), 0)
  const done = sum(({ written }) => written)
  return { done, refused: sum(({ refused }) => refused), lost: done - Number(description) }
}

const races = async (): Promise<Line[]> => {
  const alone = await together(1)
  const shared = await together(2)
  const ratio = shared.done / alone.done
  return [
    atMost('two processes, 3 s: refused writes', ['', shared.refused, ''], shared.refused, 0),
    atMost('two processes, 3 s: lost updates', ['', Math.abs(shared.lost), ''], Math.abs(shared.lost), 0),
    atLeast('writes of two processes against one', [alone.done, shared.done, ratio], ratio, 0.6),
  ]
}

/** What writes cost and survive. */
export async function durability(): Promise<Table[]> {
  progress('durability: writes')
  const lines = [await writes('power'), await writes('process')]
  progress('durability: log size')
  lines.push(await logSize())
  progress('durability: two processes')
  lines.push(...(await races()))
  return [{ title: 'Durability', columns: ['raw / one', 'ours', 'ratio'], lines }]
}
