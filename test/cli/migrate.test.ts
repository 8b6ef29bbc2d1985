import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { call, folder, forgelet, serving } from './command-line.ts'

const path = (name: string) => join(folder, name)
const name = '0040_limits_and_counters'

/** A data file of the previous version. */
const old = async (file: string) => {
  await forgelet(['seed', 'demo', '--data', file])
  const database = new Database(path(file))
  database.exec('drop table rate_limit; drop trigger project_counters; drop trigger namespace_counters')
  database.prepare('delete from forgelet_migration where name = ?').run(name)
  database.close()
}

const tables = (file: string) => {
  const database = new Database(path(file), { readonly: true })
  const found = database.prepare("select name from sqlite_master where type = 'table'").pluck().all()
  database.close()
  return found
}

const digest = (file: string) =>
  createHash('sha256')
    .update(readFileSync(path(file)))
    .digest('hex')

it('copies the file, prints the path of the copy, and migrates the schema', async () => {
  await old('old.db')
  const { code, stdout, stderr } = await forgelet(['migrate', '--data', 'old.db'])
  expect({ code, stdout }).toEqual({ code: 0, stdout: `${name}\n` })
  const copy = `old.db.before-${name}.bak`
  expect(stderr).toBe(`Ran 1 migration on ${path('old.db')}.\nCopy from before the migration: ${path(copy)}\n`)
  expect(tables('old.db')).toContain('rate_limit')
  expect(tables(copy)).not.toContain('rate_limit')
  expect((statSync(path(copy)).mode & 0o777).toString(8)).toBe('600')
  const again = await forgelet(['migrate', '--data', 'old.db', '--json'])
  expect(JSON.parse(again.stdout)).toEqual({ where: path('old.db'), migrated: [], copy: null })
  expect(again.stderr).toBe(`${path('old.db')} is up to date.\n`)
})

it('runs with a copy when a server starts on old data, and without one for a new file', async () => {
  await old('start.db')
  const { url, output, stop } = await serving(['--data', 'start.db', '--log-level', 'silent'])
  expect(output.stderr).toContain(`Copy from before the migration: ${path(`start.db.before-${name}.bak`)}\n`)
  expect((await call(url, '/projects/acme%2Fweb/labels', 'alice-token')).status).toBe(200)
  await stop()
  await forgelet(['user', 'create', '--username', 'ann', '--data', 'fresh.db'])
  expect(readdirSync(folder).filter((file) => file.startsWith('fresh.db'))).toEqual(['fresh.db'])
})

it('rejects data of a newer version without changes to the file', async () => {
  await forgelet(['user', 'create', '--username', 'ann', '--data', 'newer.db'])
  const newer = new Database(path('newer.db'))
  newer.prepare('insert into forgelet_migration values (?, ?)').run('9999_tomorrow', '2999-01-01T00:00:00.000Z')
  newer.pragma('wal_checkpoint(truncate)')
  newer.close()
  const before = digest('newer.db')
  for (const args of [['migrate'], ['serve', '--port', '0']]) {
    const { code, stdout, stderr } = await forgelet([...args, '--data', 'newer.db'])
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
    expect(stderr).toContain('newer version (9999_tomorrow): install that version or newer')
  }
  expect(digest('newer.db')).toBe(before)
  expect(readdirSync(folder).filter((file) => file.startsWith('newer.db'))).toEqual(['newer.db'])
})
