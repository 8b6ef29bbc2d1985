import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type SqliteStore, sqlite } from './sqlite.ts'

const rows = 30
const text = 'x'.repeat(1_000_000)
/** The texts of a result that is read in one turn, in megabytes. */
const turnSize = 4

const sql = 'select id, body from text where id > ? order by id'

describe.each(['file', 'memory'])('a long result from a %s', (place) => {
  let folder: string
  let store: SqliteStore
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'forgelet-reads-'))
    store = sqlite(place === 'memory' ? ':memory:' : join(folder, 'data.db'), { durability: 'process' })
    await store.write(async ({ run }) => {
      await run('create table text (id integer primary key, body text)', [])
      for (let id = 1; id <= rows; id++) await run('insert into text values (?, ?)', [id, text])
    })
  })
  afterEach(async () => {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const readFrom = (first: number) => store.read(async ({ run }) => run(sql, [first]))

  /** Reads while counting the turns of the event loop. */
  const countTurns = async (work: () => Promise<readonly unknown[]>) => {
    let isRunning = true
    let turns = 0
    const count = async () => {
      while (isRunning) {
        turns += 1
        await setImmediate()
      }
    }
    const counting = count()
    const result = await work()
    isRunning = false
    await counting
    return { turns, result }
  }

  test('is read over several turns of the event loop', async () => {
    const { turns, result } = await countTurns(() => readFrom(0))
    expect(result).toHaveLength(rows)
    expect(result.every((row) => (row as { body: string }).body === text)).toBe(true)
    expect(turns).toBeGreaterThanOrEqual(rows / (turnSize + 1))
    const short = await countTurns(() => readFrom(rows - 2))
    expect(short.result).toHaveLength(2)
    expect(short.turns).toBeLessThanOrEqual(2)
  })

  test('is read so after many short results too', async () => {
    for (let count = 0; count < 50; count++) await readFrom(rows - 1)
    await readFrom(0)
    expect((await countTurns(() => readFrom(0))).turns).toBeGreaterThanOrEqual(rows / (turnSize + 1))
  })

  test('shares the turn with others that begin in it, even if each of them alone is short', async () => {
    const readers = 12
    const readTwo = () => readFrom(rows - 2)
    const { turns, result } = await countTurns(() => Promise.all(Array.from({ length: readers }, readTwo)))
    expect(result).toHaveLength(readers)
    for (const read of result) expect(read).toHaveLength(2)
    expect(turns).toBeGreaterThanOrEqual((readers * 2) / (turnSize + 1))
  })

  test('is one state of the data, and delays neither short reads nor writes that follow', async () => {
    const order: string[] = []
    const long = Promise.all([readFrom(0), readFrom(0)]).then((results) => {
      order.push('long')
      return results
    })
    const insert = store
      .write(({ run }) => run('insert into text values (?, ?)', [rows + 1, 'new']))
      .then(async () => {
        order.push('write')
        // Later reads see the write at once.
        expect(await readFrom(rows)).toEqual([{ id: rows + 1, body: 'new' }])
        order.push('read')
      })
    const results = await long
    await insert
    for (const result of results) expect([rows, rows + 1]).toContain(result.length)
    if (place === 'file') expect(order).toEqual(['write', 'read', 'long'])
  })

  test('does not prevent copies of the database, nor its end', async () => {
    const reading = readFrom(0)
    await setImmediate()
    expect(store.serialize().length).toBeGreaterThan(rows * text.length)
    expect(await reading).toHaveLength(rows)
    const unfinished = readFrom(0)
    await setImmediate()
    await store.close()
    expect(await unfinished).toHaveLength(rows)
  })

  test('is read at once inside a transaction, which nothing may interrupt', async () => {
    const { turns } = await countTurns(() => store.write(async ({ run }) => run(sql, [0])))
    expect(turns).toBeLessThanOrEqual(2)
  })
})
