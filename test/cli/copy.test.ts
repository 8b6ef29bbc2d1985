import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, inject, test } from 'vitest'
import { createDatabase } from '../support/postgres-database.ts'
import { dialect } from '../world.ts'
import { folder } from './command-line.ts'
import { json, run } from './in-process.ts'

const path = (name: string) => join(folder, `${dialect}-${name}`)
const from = path('first.db')

beforeAll(async () => {
  mkdirSync(folder, { recursive: true })
  expect((await run(['seed', 'demo', '--data', from])).code).toBe(0)
})

/** A data file, or an empty database of the tested server. */
const newTarget = async (name: string) => {
  const url = inject('postgresUrl')
  if (dialect !== 'postgres' || url === undefined)
    return { to: path(`${name}.db`), data: ['--data', path(`${name}.db`)] }
  const to = await createDatabase(url, `copied_${process.pid}_${name}`)
  return { to, data: ['--database', to] }
}

test('data is copied to another database and back', async () => {
  const { to, data } = await newTarget('there')
  const report = await json(['copy', '--from', from, '--to', to])
  expect(report).toMatchObject({ from, rows: expect.any(Number), tables: expect.any(Number) })
  const back = path('back.db')
  const second = await json(['copy', '--to', back], { FORGELET_FROM: to })
  expect(second).toMatchObject({ to: back, rows: report.rows, tables: report.tables })
  for (const list of ['project', 'user']) {
    const original = await json([list, 'list', '--data', from])
    expect(original.length).toBeGreaterThan(0)
    expect(await json([list, 'list', ...data])).toEqual(original)
    expect(await json([list, 'list', '--data', back])).toEqual(original)
  }
})

test('a target with data is refused and keeps it', async () => {
  const { to, data } = await newTarget('taken')
  expect((await run(['user', 'create', 'ann', ...data])).code).toBe(0)
  expect(await run(['copy', '--from', from, '--to', to])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The target is not empty'),
  })
  expect(await json(['user', 'list', ...data])).toMatchObject([{ username: 'ann' }])
})

test('a missing source creates nothing, and passwords are not shown', async () => {
  const target = path('unused.db')
  expect((await run(['copy', '--from', path('missing.db'), '--to', target])).code).toBe(1)
  const url = 'postgres://forge:hush@127.0.0.1:1/forge'
  const { code, stderr } = await run(['copy', '--from', url, '--to', target])
  expect({ code, isShown: stderr.includes('hush') }).toEqual({ code: 1, isShown: false })
  expect(existsSync(target)).toBe(false)
  expect((await run(['copy', '--from', from])).code).toBe(2)
})
