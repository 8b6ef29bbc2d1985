import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { call, folder, forgelet, serving } from './command-line.ts'

const path = (name: string) => join(folder, name)
const workspace = join(import.meta.dirname, '../..')
const name = '0002_label_archived'

/** The command of a version with one more migration. */
const nextVersion = {
  program: join(workspace, 'packages/http/src/cli.ts'),
  node: ['--conditions=source', '--import', join(import.meta.dirname, 'next-version.ts')],
}

const isMigrated = (file: string) => {
  const database = new Database(path(file), { readonly: true })
  const found = database.prepare("select 1 from pragma_table_info('label') where name = 'archived'").all()
  database.close()
  return found.length > 0
}

const digest = (file: string) =>
  createHash('sha256')
    .update(readFileSync(path(file)))
    .digest('hex')

it('copies the file, prints the path of the copy, and migrates the schema', async () => {
  await forgelet(['seed', 'demo', '--data', 'old.db'])
  const { code, stdout, stderr } = await forgelet(['migrate', '--data', 'old.db'], nextVersion)
  expect({ code, stdout }).toEqual({ code: 0, stdout: `${name}\n` })
  const copy = `old.db.before-${name}.bak`
  expect(stderr).toBe(`Ran 1 migration on ${path('old.db')}.\nCopy from before the migration: ${path(copy)}\n`)
  expect([isMigrated('old.db'), isMigrated(copy)]).toEqual([true, false])
  expect((statSync(path(copy)).mode & 0o777).toString(8)).toBe('600')
  const again = await forgelet(['migrate', '--data', 'old.db', '--json'], nextVersion)
  expect(JSON.parse(again.stdout)).toEqual({ where: path('old.db'), migrated: [], copy: null })
  expect(again.stderr).toBe(`${path('old.db')} is up to date.\n`)
  const { code: rejected, stderr: reason } = await forgelet(['migrate', '--data', 'old.db'])
  expect([rejected, reason]).toEqual([3, expect.stringContaining(`newer version (${name})`)])
  expect((await forgelet(['migrate', '--data', copy])).stderr).toBe(`${path(copy)} is up to date.\n`)
})

it('runs with a copy when a server starts on old data, and without one for a new file', async () => {
  await forgelet(['seed', 'demo', '--data', 'start.db'])
  const { url, output, stop } = await serving(['--data', 'start.db', '--log-level', 'silent'], nextVersion)
  expect(output.stderr).toContain(`Copy from before the migration: ${path(`start.db.before-${name}.bak`)}\n`)
  expect((await call(url, '/projects/acme%2Fweb/labels', 'alice-token')).status).toBe(200)
  await stop()
  await forgelet(['user', 'create', '--username', 'ann', '--data', 'fresh.db'], nextVersion)
  expect(readdirSync(folder).filter((file) => file.startsWith('fresh.db'))).toEqual(['fresh.db'])
  expect(isMigrated('fresh.db')).toBe(true)
})

/** Changes the applied migrations of a new data file, and closes it without a write-ahead log. */
const withMigrations = async (file: string, statement: string) => {
  await forgelet(['user', 'create', '--username', 'ann', '--data', file])
  const database = new Database(path(file))
  database.exec(statement)
  database.pragma('wal_checkpoint(truncate)')
  database.close()
}

it.each([
  [
    'a newer version',
    "insert into forgelet_migration values ('9999_tomorrow', '2999')",
    'newer version (9999_tomorrow)',
  ],
  [
    'a development version',
    `delete from forgelet_migration;
    insert into forgelet_migration values ('0001_accounts', '2020'), ('0002_a', '2020'), ('0003_b', '2020'), ('0004_c', '2020')`,
    'development version from before the first release (0001_accounts, 0002_a, 0003_b and 1 more)',
  ],
])('rejects data of %s without changes to the file', async (version, statement, message) => {
  const file = `${version.replaceAll(' ', '-')}.db`
  await withMigrations(file, statement)
  const before = digest(file)
  for (const args of [['migrate'], ['serve', '--port', '0']]) {
    const { code, stdout, stderr } = await forgelet([...args, '--data', file])
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
    expect(stderr).toContain(message)
  }
  expect(digest(file)).toBe(before)
  expect(readdirSync(folder).filter((found) => found.startsWith(file))).toEqual([file])
})
