import { statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createPlatform, sqlite } from '@forgelet/core'
import type Sqlite from 'better-sqlite3'
import { preparedQuery } from '../../../packages/core/src/kernel/prepared-query.ts'
import { start } from '../child.ts'
import { token } from '../data-file.ts'
import { alternate, median, pairedRatio } from '../measure.ts'
import { atLeast, atMost, type Line, type Table } from '../table.ts'
import { copyWorld, progress, world } from '../temporary-files.ts'

const Database = createRequire(import.meta.url)('better-sqlite3') as typeof Sqlite

type Durability = 'power' | 'process'

const rounds = 9
const absolute = 'none: an absolute limit'
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

/** The domain write includes token, permission and name checks; the raw write only inserts the same row. */
const writes = async (durability: Durability): Promise<Line> => {
  const { written } = await world()
  const project = (at: number) => written[at % written.length] as number
  const file = new Database(await copyWorld(`raw-${durability}.db`))
  file.pragma('journal_mode = wal')
  file.pragma(`synchronous = ${durability === 'process' ? 'normal' : 'full'}`)
  file.pragma('foreign_keys = on')
  const insert = file.prepare(insertText)
  const platform = createPlatform(sqlite(await copyWorld(`domain-${durability}.db`), { durability }))
  const session = platform.as({ token })
  let count = 0
  const variants = {
    raw: () => perSecond((at) => insert.run(project(at), `raw ${++count}`, now, now)),
    domain: () =>
      perSecond((at) => session.labels.create({ project: project(at), name: `new ${++count}`, color: '#428BCA' })),
  }
  await variants.domain()
  const rates = await alternate(['raw', 'domain'], rounds, (name) => variants[name]())
  await platform.close()
  file.close()
  const ratio = pairedRatio(rates.domain, rates.raw)
  const what = durability === 'power' ? 'writes/s that survive a power cut' : 'writes/s that survive a crash'
  return atLeast(what, [median(rates.raw), median(rates.domain), ratio], ratio, 0.4)
}

const insertLabel = preparedQuery((db, at: { project: number; name: string; now: string }) =>
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

/** A statement with RETURNING that is not read to its end would prevent checkpoints of the write-ahead log. */
const logSize = async (): Promise<Line> => {
  const { written } = await world()
  const path = await copyWorld('wal.db')
  const store = sqlite(path, { durability: 'process' })
  for (let at = 0; at < walWrites; at++) {
    const project = written[at % written.length] as number
    await store.write(async (handle) => insertLabel(handle, { project, name: `row ${at}`, now }))
  }
  const mebibytes = statSync(`${path}-wal`).size / 2 ** 20
  await store.close()
  return atMost(`MiB of log after ${walWrites.toLocaleString('en')} writes`, ['', mebibytes, ''], mebibytes, 16, {
    unit: 'MiB',
    reference: absolute,
  })
}

interface Written {
  readonly written: number
  readonly failed: number
  readonly description: string
}

const writeConcurrently = async (processes: number) => {
  const { written } = await world()
  const project = written[0] as number
  const path = await copyWorld(`shared-${processes}.db`)
  const platform = createPlatform(sqlite(path, { durability: 'process' }))
  await platform.as({ system: 'bench' }).labels.create({ project, name: 'counter', color: '#428BCA', description: '0' })
  const writers = await Promise.all(
    Array.from({ length: processes }, () => start('./servers/writer.ts', [path, '3', String(project)])),
  )
  const results = await Promise.all(writers.map((writer) => writer.request<Written>({})))
  await Promise.all(writers.map((writer) => writer.stop()))
  const { description } = await platform.as({ system: 'bench' }).labels.get({ project, name: 'counter' })
  await platform.close()
  const sum = (pick: (result: Written) => number) => results.reduce((total, result) => total + pick(result), 0)
  const total = sum(({ written }) => written)
  return { total, failed: sum(({ failed }) => failed), lost: total - Number(description) }
}

const concurrentWrites = async (): Promise<Line[]> => {
  const alone = await writeConcurrently(1)
  const shared = await writeConcurrently(2)
  const ratio = shared.total / alone.total
  return [
    atMost('two processes, 3 s: failed writes', ['', shared.failed, ''], shared.failed, 0, {
      unit: 'writes',
      reference: absolute,
    }),
    atMost('two processes, 3 s: lost updates', ['', Math.abs(shared.lost), ''], Math.abs(shared.lost), 0, {
      unit: 'writes',
      reference: absolute,
    }),
    atLeast('writes of two processes against one', [alone.total, shared.total, ratio], ratio, 0.6, {
      reference: 'one process',
    }),
  ]
}

/** The cost and durability of writes. */
export async function durability(): Promise<Table[]> {
  progress('durability: writes')
  const lines = [await writes('power'), await writes('process')]
  progress('durability: log size')
  lines.push(await logSize())
  progress('durability: two processes')
  lines.push(...(await concurrentWrites()))
  return [
    {
      title: 'Durability',
      reference: 'the same insert with better-sqlite3, without checks',
      columns: ['raw / one', 'ours', 'ratio'],
      lines,
    },
  ]
}
