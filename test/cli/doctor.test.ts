import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import pg from 'pg'
import { describe, expect, inject, it } from 'vitest'
import { createDatabase } from '../support/postgres-database.ts'
import { dialect } from '../world.ts'
import { folder, forgelet, serving } from './command-line.ts'

const path = (name: string) => join(folder, name)

interface Report {
  readonly healthy: boolean
  readonly checks: readonly { name: string; verdict: string; says: string; details: readonly string[] }[]
}

const examined = async (args: readonly string[]) => {
  const { code, stdout } = await forgelet(['doctor', '--json', ...args])
  const report = JSON.parse(stdout) as Report
  const wrong = report.checks.filter(({ verdict }) => verdict === 'wrong')
  return { code, healthy: report.healthy, wrong, names: report.checks.map(({ name }) => name) }
}

let databases = 0
/** A database of its own; `original` is the name of the database that it copies. */
const fresh = async (original?: string, name = `${dialect}_${process.pid}_${++databases}`) => {
  const url = inject('postgresUrl')
  if (url === undefined) {
    const filesBeside = original === undefined ? [] : readdirSync(folder).filter((entry) => entry.startsWith(original))
    for (const entry of filesBeside)
      cpSync(path(entry), path(entry.replace(original as string, name)), { recursive: true })
    return { name, args: ['--data', `${name}.db`], file: path(`${name}.db`) }
  }
  const database = await createDatabase(url, `doctor_${name}`, original && `doctor_${original}`)
  return { name, args: ['--database', database], file: database }
}

const seedDemo = async () => {
  const { name, args } = await fresh(undefined, `demo_${process.pid}`)
  await forgelet(['seed', 'demo', ...args])
  return name
}
let demo: Promise<string> | undefined
/** A copy of a database with the demo data, which the tests of this file seed once. */
const freshDemo = async (name?: string) => {
  demo ??= seedDemo()
  return fresh(await demo, name)
}

/** @param enforced whether SQLite enforces foreign keys, including cascades */
const change = async (place: string, statement: string, enforced = false) => {
  if (dialect === 'sqlite') {
    const database = new Database(place)
    database.pragma(`foreign_keys = ${enforced ? 'on' : 'off'}`)
    database.exec(statement)
    database.close()
    return
  }
  const client = new pg.Client(place)
  await client.connect()
  await client.query(statement)
  await client.end()
}

describe(`doctor on ${dialect}`, () => {
  it('reports nothing for valid data, also after a project was deleted', async () => {
    const { args, file } = await freshDemo()
    await change(file, "delete from project where path = 'web'", true)
    expect(await examined(args)).toEqual({ code: 0, healthy: true, wrong: [], names: expect.any(Array) })
    const { stdout } = await forgelet(['doctor', ...args])
    expect(stdout).toContain('  ok     schema: up to date\n')
    if (dialect === 'postgres') expect(stdout).toContain('  -      pages: not checked on PostgreSQL')
  })

  it('reports parked jobs and jobs that do not run', async () => {
    const { args, file } = await freshDemo()
    const columns = 'kind, key, payload, state, run_after, attempts, last_error, created_at'
    const old = "'2020-01-01T00:00:00.000Z'"
    await change(
      file,
      `insert into job (${columns}) values ('members.expire', null, '{}', 'parked', ${old}, 10, 'no such host', ${old});
       insert into job (${columns}) values ('events.expire', null, '{}', 'pending', ${old}, 0, null, ${old})`,
    )
    const { code, wrong } = await examined(args)
    expect(code).toBe(1)
    expect(wrong.map(({ name }) => name)).toEqual(['failed jobs', 'waiting jobs'])
    expect(wrong[0]?.details[0]).toMatch(/^members\.expire \d+, parked after 10 attempts: no such host$/)
    const { stderr, code: human } = await forgelet(['doctor', ...args])
    expect([human, stderr]).toEqual([1, expect.stringMatching(/^forgelet: 2 of \d+ checks failed\n$/)])
  })

  it('reports incorrect counters', async () => {
    const { args, file } = await freshDemo()
    await change(file, 'delete from issue_count')
    const { wrong } = await examined(args)
    expect(wrong.map(({ name }) => name)).toEqual(['counters of issues'])
  })

  it('reports a repository that is not on disk', async () => {
    const { args, file } = await freshDemo()
    await change(
      file,
      `delete from project_repository where project_id = (select max(id) from project);
       insert into project_repository (project_id, place, created_at)
       select max(id), '/nowhere/lost.git', '2026-01-01T00:00:00.000Z' from project`,
    )
    const { wrong } = await examined(args)
    expect(wrong).toMatchObject([{ name: 'repositories', details: [expect.stringMatching(/: \/nowhere\/lost\.git$/)] }])
  })

  it('reports damaged repositories', async () => {
    const { args, file } = await freshDemo()
    const [damaged, emptied, intact] = ['damaged', 'emptied', 'intact'].map((name) => path(`${name}-${dialect}.git`))
    for (const directory of [damaged, emptied, intact] as string[]) {
      execFileSync('git', ['init', '-q', '--bare', directory])
      const tree = execFileSync('git', ['-C', directory, 'mktree'], { input: '', encoding: 'utf8' }).trim()
      const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.com']
      const commit = execFileSync('git', ['-C', directory, ...identity, 'commit-tree', '-m', 'one', tree], {
        encoding: 'utf8',
      })
      execFileSync('git', ['-C', directory, 'update-ref', 'refs/heads/main', commit.trim()])
      if (directory === damaged) rmSync(join(directory, 'objects', tree.slice(0, 2), tree.slice(2)))
      if (directory === emptied) rmSync(join(directory, 'refs/heads/main'))
    }
    const rows = [damaged, emptied, intact].map(
      (place, index) => `((select min(id) + ${index} from project), '${place}', '2026')`,
    )
    await change(
      file,
      `delete from project_repository; update project set empty_repo = ${dialect === 'sqlite' ? 0 : false};
       insert into project_repository (project_id, place, created_at) values ${rows.join(', ')}`,
    )
    const { wrong } = await examined(args)
    expect(wrong).toMatchObject([{ name: 'contents of repositories', says: 'damaged: restore them from a backup' }])
    expect(wrong[0]?.details).toEqual([
      expect.stringMatching(new RegExp(`^project \\d+: ${damaged}: .*missing tree`)),
      expect.stringMatching(new RegExp(`^project \\d+: ${emptied}: has no commits, although the project had some$`)),
    ])
  })

  it('reports an old and a newer schema without changes to them', async () => {
    const { args, file } = await fresh()
    await forgelet(['user', 'create', '--username', 'ann', ...args])
    await change(file, "delete from forgelet_migration where name = '0001_baseline'")
    expect((await examined(args)).wrong).toMatchObject([
      { name: 'schema', says: 'not up to date: run forgelet migrate', details: ['0001_baseline'] },
    ])
    await change(file, "insert into forgelet_migration (name, applied_at) values ('9999_tomorrow', '2999')")
    expect((await examined(args)).wrong).toMatchObject([{ name: 'schema', details: ['9999_tomorrow'] }])
  })
})

describe.skipIf(dialect === 'postgres')('doctor on a data file', () => {
  it('reports foreign keys without a row', async () => {
    const { args } = await freshDemo('dangling')
    await change(path('dangling.db'), 'drop trigger if exists project_counters')
    await change(path('dangling.db'), "delete from project where path = 'web'")
    const { wrong } = await examined(args)
    expect(wrong.map(({ name }) => name)).toContain('references')
    expect(wrong.map(({ name }) => name)).toContain('counters of numbers')
    expect(wrong.find(({ name }) => name === 'references')?.details.join()).toMatch(/issue \d+ → project/)
  })

  it('reports a damaged file, and a file that is not a database', async () => {
    const { args } = await freshDemo('damaged')
    const bytes = readFileSync(path('damaged.db'))
    bytes.fill(0x5a, 40 * 4_096, 60 * 4_096)
    writeFileSync(path('damaged.db'), bytes)
    const { code, wrong } = await examined(args)
    expect(code).toBe(1)
    expect(wrong[0]).toMatchObject({ name: 'pages', says: 'damaged: restore a backup' })
    writeFileSync(path('letter.db'), 'Dear Sir or Madam, '.repeat(100))
    expect(await forgelet(['doctor', '--data', 'letter.db'])).toMatchObject({
      code: 1,
      stderr: `forgelet: ${path('letter.db')} cannot be used: it is not a database\n`,
    })
  })

  it('reports files that other users can read', async () => {
    const { args } = await freshDemo('open')
    chmodSync(path('open.db'), 0o644)
    expect((await examined(args)).wrong).toMatchObject([
      { name: 'permissions', details: expect.arrayContaining([path('open.db')]) },
    ])
  })

  it('does not create a missing file', async () => {
    expect(await forgelet(['doctor', '--data', 'nowhere.db'])).toMatchObject({
      code: 1,
      stderr: `forgelet: There is no file ${path('nowhere.db')}\n`,
    })
    expect(readdirSync(folder).filter((name) => name.startsWith('nowhere'))).toEqual([])
  })

  it('checks a file while a server uses it', async () => {
    const running = await serving(['--data', 'served.db', '--seed', 'demo', '--log-level', 'silent'])
    expect((await examined(['--data', 'served.db'])).wrong).toEqual([])
    expect((await running.stop()).code).toBe(0)
  })
})
