import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { folder, forgelet } from './command-line.ts'

const path = (name: string) => join(folder, name)
const digest = (name: string) =>
  createHash('sha256')
    .update(readFileSync(path(name)))
    .digest('hex')
const filesOf = (name: string) => readdirSync(folder).filter((file) => file.startsWith(name))

describe('data of other programs and versions', () => {
  it('is not changed if another program created it', async () => {
    const other = new Database(path('other.db'))
    other.exec('create table invoice (id integer primary key, amount integer); insert into invoice values (1, 100)')
    other.close()
    const before = digest('other.db')
    const { code, stdout, stderr } = await forgelet(['serve', '--port', '0', '--demo', '--data', 'other.db'])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toBe(
      `forgelet: ${path('other.db')} cannot be used: This SQLite file belongs to another program: choose another data file\n`,
    )
    expect(digest('other.db')).toBe(before)
    expect(filesOf('other.db')).toEqual(['other.db'])
  })

  it('is not changed if it is not a database', async () => {
    writeFileSync(path('letter.db'), 'Dear Sir or Madam, '.repeat(100))
    const before = digest('letter.db')
    const { code, stderr } = await forgelet(['user', 'create', '--username', 'ann', '--data', 'letter.db'])
    expect(code).toBe(1)
    expect(stderr).toBe(`forgelet: ${path('letter.db')} cannot be used: it is not a database\n`)
    expect(digest('letter.db')).toBe(before)
  })

  it('is not changed if a newer version migrated it, with exit code 3', async () => {
    expect((await forgelet(['user', 'create', '--username', 'ann', '--data', 'newer.db'])).code).toBe(0)
    const newer = new Database(path('newer.db'))
    newer.prepare('insert into forgelet_migration values (?, ?)').run('9999_tomorrow', '2999-01-01T00:00:00.000Z')
    newer.pragma('wal_checkpoint(truncate)')
    newer.close()
    const before = digest('newer.db')
    for (const args of [
      ['serve', '--port', '0'],
      ['token', 'create', '--user', 'ann'],
      ['seed', 'demo'],
    ]) {
      const { code, stdout, stderr } = await forgelet([...args, '--data', 'newer.db'])
      expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
      expect(stderr).toBe(
        `forgelet: ${path('newer.db')}: This database was migrated by a newer version (9999_tomorrow): install that version or newer\n`,
      )
    }
    expect(digest('newer.db')).toBe(before)
    expect(filesOf('newer.db')).toEqual(['newer.db'])
  })
})

describe('unreachable data', () => {
  it.each([
    ['nowhere/forge.db', () => `${path('nowhere/forge.db')} cannot be created: there is no folder ${path('nowhere')}`],
    ['directory.db', () => `${path('directory.db')} cannot be used: it is not a file`],
  ])('is reported in one sentence: %s', async (name, message) => {
    mkdirSync(path('directory.db'), { recursive: true })
    const { code, stderr } = await forgelet(['serve', '--port', '0', '--data', name])
    expect(stderr).toBe(`forgelet: ${message()}\n`)
    expect(code).toBe(1)
  })

  it('is reported without the password for PostgreSQL', async () => {
    const { code, stderr } = await forgelet([
      'serve',
      '--port',
      '0',
      '--database',
      'postgres://me:secret@127.0.0.1:1/forge',
    ])
    expect(code).toBe(1)
    expect(stderr).toMatch(/^forgelet: PostgreSQL forge at 127\.0\.0\.1:1 cannot be used: .*ECONNREFUSED.*\n$/)
    expect(stderr).not.toContain('secret')
  })
})
