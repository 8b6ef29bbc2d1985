import { execFile, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { call, folder, forgelet, serving } from './command-line.ts'

const path = (name: string) => join(folder, name)
const labels = '/projects/acme%2Fweb/labels'
const execute = promisify(execFile)

const inspect = (file: string) => {
  const database = new Database(file, { readonly: true })
  const found = {
    integrity: database.pragma('integrity_check', { simple: true }),
    dangling: database.pragma('foreign_key_check'),
    labels: new Map(
      database
        .prepare(
          'select label.name, label_priority.priority from label left join label_priority on label_id = label.id',
        )
        .raw()
        .all() as [string, number | null][],
    ),
  }
  database.close()
  return found
}

const digest = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')

const identity = ['-c', 'user.name=Alice', '-c', 'user.email=alice@example.com', '-c', 'commit.gpgsign=false']

let original: Promise<unknown> | undefined
/** Creates a data file with the user Ann: a copy of one that these tests create once. */
const createData = async (name: string) => {
  original ??= forgelet(['user', 'create', '--username', 'ann', '--data', 'original.db'])
  await original
  copyFileSync(path('original.db'), path(name))
}

/** A bare repository with one commit. */
const bareRepository = (directory: string, work: string) => {
  execFileSync('git', ['init', '--quiet', '--initial-branch=main', work])
  writeFileSync(join(work, 'README.md'), '# A repository\n')
  execFileSync('git', ['-C', work, 'add', '.'])
  execFileSync('git', ['-C', work, ...identity, 'commit', '--quiet', '--message', 'The first'])
  execFileSync('git', ['clone', '--quiet', '--bare', work, directory])
}

describe('backup', () => {
  it('copies a consistent state during writes, and a server starts on it after a restore', async () => {
    const { url, stop } = await serving(['--data', 'busy.db', '--seed', 'demo', '--log-level', 'silent'])
    const acknowledged: string[] = []
    let writing = true
    const writer = async (prefix: string) => {
      for (let count = 0; writing; count++) {
        const body = { name: `${prefix}-${count}`, color: 'teal', priority: count }
        if ((await call(url, labels, 'alice-token', body)).status === 200) acknowledged.push(body.name)
      }
    }
    const writers = Promise.all([writer('a'), writer('b'), writer('c')])
    await expect.poll(() => acknowledged.length).toBeGreaterThan(10)
    const before = [...acknowledged]
    const { code, stdout, stderr } = await forgelet(['backup', 'copy', '--data', 'busy.db'])
    const during = acknowledged.length
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${path('copy')}\n` })
    expect(stderr).toMatch(
      /^Copied .*busy\.db \([\d,]+ bytes, (1 repository|\d+ repositories), .*\) and verified the copy\.\n$/,
    )
    expect(during, 'no writes during the backup').toBeGreaterThan(before.length)
    writing = false
    await writers
    expect((await stop()).code).toBe(0)

    const copy = inspect(path('copy/forge.db'))
    expect([copy.integrity, copy.dangling]).toEqual(['ok', []])
    expect(before.filter((name) => !copy.labels.has(name))).toEqual([])
    const partial = [...copy.labels].filter(([name, priority]) => /^[abc]-\d+$/.test(name) && priority === null)
    expect(partial).toEqual([])

    expect((await forgelet(['restore', 'copy', '--data', 'again.db'])).code).toBe(0)
    const again = await serving(['--data', 'again.db', '--log-level', 'silent'])
    expect((await call(again.url, `${labels}/${before[0]}`, 'alice-token')).status).toBe(200)
    expect((await again.stop()).code).toBe(0)
  }, 60_000)

  it('is readable by its owner only, and has a manifest', async () => {
    await createData('private.db')
    writeFileSync(path('private.db.key'), 'a2V5\n', { mode: 0o600 })
    const { stdout } = await forgelet(['backup', 'private', '--data', 'private.db', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ folder: path('private'), format: 1, key: 'included', repositories: 0 })
    expect((statSync(path('private')).mode & 0o777).toString(8)).toBe('700')
    for (const name of readdirSync(path('private'))) {
      expect((statSync(path(`private/${name}`)).mode & 0o777).toString(8), name).toBe('600')
    }
    expect(readdirSync(path('private')).sort()).toEqual(['forge.db', 'forge.db.key', 'manifest.json'])
    const { stdout: without } = await forgelet(['backup', 'keyless', '--data', 'private.db', '--json', '--without-key'])
    expect(JSON.parse(without).key).toBe('left out')
    expect(readdirSync(path('keyless')).sort()).toEqual(['forge.db', 'manifest.json'])
    expect((await forgelet(['restore', 'keyless', '--data', 'keyless.db'])).stderr).toContain('without its key')
    expect(readdirSync(folder).filter((name) => name.includes('partial'))).toEqual([])
  })

  it('contains the repositories with the objects of all references', async () => {
    await createData('code.db')
    mkdirSync(path('code.db.repositories/ab'), { recursive: true })
    const directory = path('code.db.repositories/ab/one.git')
    const work = path('working-copy')
    bareRepository(directory, work)
    let pushing = true
    const pushes = (async () => {
      for (let count = 0; pushing; count++) {
        const git = (...args: string[]) => execute('git', ['-C', work, ...identity, ...args])
        await git('commit', '--quiet', '--allow-empty', '--message', `Number ${count}`)
        await git('push', '--quiet', directory, `HEAD:refs/heads/b${count}`)
      }
    })()
    const { stdout } = await forgelet(['backup', 'code', '--data', 'code.db', '--json'])
    pushing = false
    await pushes
    expect(JSON.parse(stdout).repositories).toBe(1)
    expect((await forgelet(['restore', 'code', '--data', 'code-again.db'])).code).toBe(0)
    const copy = path('code-again.db.repositories/ab/one.git')
    execFileSync('git', ['--git-dir', copy, 'fsck', '--full', '--strict'], { stdio: 'pipe' })
    expect(execFileSync('git', ['--git-dir', copy, 'show', 'main:README.md'], { encoding: 'utf8' })).toBe(
      '# A repository\n',
    )
  }, 60_000)

  it('rejects an existing target and a missing data file', async () => {
    await createData('source.db')
    mkdirSync(path('taken'))
    expect(await forgelet(['backup', 'taken', '--data', 'source.db'])).toMatchObject({
      code: 1,
      stderr: `forgelet: ${path('taken')} already exists: name a new folder\n`,
    })
    expect(await forgelet(['backup', 'x', '--data', 'nowhere.db'])).toMatchObject({
      code: 1,
      stderr: `forgelet: There is no file ${path('nowhere.db')}\n`,
    })
    expect(existsSync(path('nowhere.db'))).toBe(false)
    writeFileSync(path('letter.db'), 'Dear Sir or Madam, '.repeat(100))
    expect(await forgelet(['backup', 'x', '--data', 'letter.db'])).toMatchObject({ code: 1 })
    expect(existsSync(path('x'))).toBe(false)
  })

  it.each([
    ['backup', /pg_dump/],
    ['restore', /pg_restore/],
  ])('names the tool of PostgreSQL: %s', async (verb, tool) => {
    const { code, stderr } = await forgelet([verb, 'x', '--database', 'postgres://me:secret@127.0.0.1:1/forge'])
    expect(code).toBe(2)
    expect(stderr).toMatch(tool)
    expect(stderr).not.toContain('secret')
  })
})

describe('restore', () => {
  it('replaces existing data only with --force and if it is not in use, and keeps it', async () => {
    await createData('one.db')
    await forgelet(['backup', 'one', '--data', 'one.db'])
    await forgelet(['user', 'create', '--username', 'second', '--data', 'one.db'])
    const before = digest(path('one.db'))
    const withoutForce = await forgelet(['restore', 'one', '--data', 'one.db'])
    expect(withoutForce.code).toBe(1)
    expect(withoutForce.stderr).toContain('use --force to replace it')
    expect(digest(path('one.db'))).toBe(before)

    const running = await serving(['--data', 'one.db', '--log-level', 'silent'])
    const inUse = await forgelet(['restore', 'one', '--data', 'one.db', '--force'])
    expect([inUse.code, inUse.stderr]).toEqual([1, `forgelet: ${path('one.db')} is in use: stop the server first\n`])
    await running.stop()

    const { code, stderr } = await forgelet(['restore', 'one', '--data', 'one.db', '--force'])
    expect(code).toBe(0)
    const [, replaced] = /The replaced data is (\S+);/.exec(stderr) ?? []
    const users = (file: string) => {
      const database = new Database(file, { readonly: true })
      const names = database.prepare('select username from user order by id').pluck().all()
      database.close()
      return names
    }
    expect(users(path('one.db'))).toEqual(['ann'])
    expect(users(replaced as string)).toEqual(['ann', 'second'])
    expect(readdirSync(folder).filter((name) => name.includes('restoring'))).toEqual([])
  })

  it('does not apply the write-ahead log of a crash to the restored file', async () => {
    const args = ['--data', 'crashed.db', '--seed', 'demo', '--log-level', 'silent']
    const { url, child, ended } = await serving(args)
    await forgelet(['backup', 'crashed', '--data', 'crashed.db'])
    await call(url, labels, 'alice-token', { name: 'after', color: 'red' })
    child.kill('SIGKILL')
    await ended
    expect(statSync(path('crashed.db-wal')).size).toBeGreaterThan(0)
    // The data file is lost, its log still exists.
    writeFileSync(path('crashed.db'), 'nothing but noise')
    expect((await forgelet(['restore', 'crashed', '--data', 'crashed.db', '--force'])).code).toBe(0)
    const found = inspect(path('crashed.db'))
    expect([found.integrity, found.labels.has('after')]).toEqual(['ok', false])
    expect((await forgelet(['doctor', '--data', 'crashed.db'])).code).toBe(0)
  })

  it('rejects an incomplete or damaged backup, and changes nothing', async () => {
    await createData('whole.db')
    await forgelet(['backup', 'whole', '--data', 'whole.db'])
    const fresh = (name: string) => {
      cpSync(path('whole'), path(name), { recursive: true })
      return path(`${name}/forge.db`)
    }
    const changed = fresh('changed')
    const bytes = readFileSync(changed)
    bytes[bytes.length - 1] = (bytes.at(-1) as number) ^ 1
    writeFileSync(changed, bytes)
    const lost = fresh('lost')
    rmSync(lost)
    fresh('nameless')
    rmSync(path('nameless/manifest.json'))
    for (const [name, message] of [
      ['changed', 'the checksum of forge.db does not match'],
      ['lost', 'it has no forge.db'],
      ['nameless', 'it has no manifest.json'],
      ['nowhere', 'it has no manifest.json'],
    ] as const) {
      const { code, stderr } = await forgelet(['restore', name, '--data', 'target.db'])
      expect([code, stderr.includes(message)], name).toEqual([1, true])
    }
    expect(readdirSync(folder).filter((name) => name.startsWith('target'))).toEqual([])
  })

  it('rejects a backup of a newer version with exit code 3', async () => {
    await createData('tomorrow.db')
    const newer = new Database(path('tomorrow.db'))
    newer.prepare('insert into forgelet_migration values (?, ?)').run('9999_tomorrow', '2999-01-01T00:00:00.000Z')
    newer.close()
    expect((await forgelet(['backup', 'tomorrow', '--data', 'tomorrow.db'])).code).toBe(0)
    const { code, stderr } = await forgelet(['restore', 'tomorrow', '--data', 'target.db'])
    expect(code).toBe(3)
    expect(stderr).toContain('was created by another version')
    expect(existsSync(path('target.db'))).toBe(false)
  })

  it('works by hand: the folder contains a data file and the files beside it', async () => {
    await createData('hand.db')
    await forgelet(['backup', 'hand', '--data', 'hand.db'])
    copyFileSync(path('hand/forge.db'), path('by-hand.db'))
    renameSync(path('hand'), path('moved'))
    expect((await forgelet(['token', 'create', '--user', 'ann', '--data', 'by-hand.db'])).code).toBe(0)
    expect((await forgelet(['doctor', '--data', path('moved/forge.db')])).code).toBe(0)
  })
})
