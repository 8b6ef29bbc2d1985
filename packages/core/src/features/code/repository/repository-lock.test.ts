import { execFileSync } from 'node:child_process'
import { existsSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HostStatement } from '@forgelet/core'
import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { dialect, world } from '../../../../../../test/world.ts'

let forge: FakeForge
beforeEach(async () => {
  forge = await world()
})
afterEach(() => forge.close())

const project = 'acme/web'
const commit = (message: string) =>
  forge.as('alice').commits.import({ project, commits: [{ message, files: [{ path: message, content: message }] }] })

const sql: HostStatement = (text) => forge.platform.atomic((_platform, _at, run) => run(text))
const ofProject = "where project_id = (select id from project where path = 'web')"
const lockRows = () => sql(`select owner from repository_lock ${ofProject}`)
const findDirectory = async () => {
  const [row] = await sql(`select place from project_repository ${ofProject}`)
  return forge.platform.ports.repositories.directoryOf(String(row?.place))
}
const git = (directory: string, ...args: readonly string[]) =>
  execFileSync('git', [`--git-dir=${directory}`, ...args], { encoding: 'utf8' }).trim()

/** The lock of a process that has ended. */
const leaveLock = () =>
  sql(`insert into repository_lock (project_id, owner, beat) select id, 'ended', 7 from project where path = 'web'`)

test('changes of a repository run one after another and release its lock', async () => {
  const results = await Promise.all(['a', 'b', 'c', 'd'].map(commit))
  expect(new Set(results.map(({ ids }) => ids[0])).size).toBe(4)
  expect(
    git(await findDirectory(), 'log', '--format=%s', '-4', 'main')
      .split('\n')
      .sort(),
  ).toEqual(['a', 'b', 'c', 'd'])
  expect(await lockRows()).toEqual([])
  expect((await forge.platform.jobs.list()).map(({ kind }) => kind)).not.toContain('repository.recover')
})

test('repairs the repository of a process that has ended, before the next change', async () => {
  const [id] = (await commit('first')).ids
  const directory = await findDirectory()
  const lockFile = join(directory, 'refs/heads/main.lock')
  writeFileSync(lockFile, '')
  utimesSync(lockFile, new Date(0), new Date(0))
  git(directory, 'update-ref', 'refs/forgelet/import/interrupted', id as string)
  await leaveLock()
  await commit('second')
  expect(existsSync(lockFile)).toBe(false)
  expect(git(directory, 'for-each-ref', 'refs/forgelet/')).toBe('')
  expect(git(directory, 'log', '--format=%s', '-2', 'main')).toBe('second\nfirst')
  expect(await lockRows()).toEqual([])
})

test('does not wait for the lease of a process that was killed on this machine', { timeout: 9_000 }, async () => {
  await commit('first')
  const module = new URL('../../../kernel/process-identity.ts', import.meta.url).href
  const program = `import { getProcessIdentity } from '${module}'; console.log(getProcessIdentity())`
  const identity = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' }).trim()
  await sql(
    `insert into repository_lock (project_id, owner, beat) select id, 'call/${identity}', 7 from project where path = 'web'`,
  )
  await commit('second')
  expect(await lockRows()).toEqual([])
})

test('a job repairs the repository if no change follows, and updates the data of the project', async () => {
  await commit('first')
  await sql("update project set empty_repo = true where path = 'web'")
  await leaveLock()
  const payload = dialect === 'postgres' ? "json_build_object('projectId', id)" : "json_object('projectId', id)"
  const time = "'2020-01-01T00:00:00.000Z'"
  await sql(
    `insert into job (kind, key, payload, state, run_after, attempts, created_at)
     select 'repository.recover', cast(id as varchar), ${payload}, 'pending', ${time}, 0, ${time}
     from project where path = 'web'`,
  )
  await forge.platform.jobs.drain()
  expect(await sql("select empty_repo from project where path = 'web'")).toEqual([{ emptyRepo: false }])
  expect(await lockRows()).toEqual([])
})

test('a call whose lock another process has taken does not record its change', async () => {
  await commit('first')
  const repository = forge.platform.ports.git.open(await findDirectory())
  const { writeCommits } = repository
  const slow: typeof writeCommits = async (commits, options) => {
    await sql(`update repository_lock set owner = 'other' ${ofProject}`)
    return writeCommits(commits, options)
  }
  Object.assign(repository, { writeCommits: slow })
  try {
    await expect(commit('second')).rejects.toMatchObject({ code: 'unavailable', reason: 'outcome_unknown' })
  } finally {
    Object.assign(repository, { writeCommits })
  }
  const { items } = await forge.as('alice').events.list({ project })
  expect(items.map(({ pushData }) => pushData?.commitTitle)).not.toContain('second')
  expect(await lockRows()).toEqual([{ owner: 'other' }])
})

describe('a change that was not recorded', () => {
  /** What a process leaves behind that ended after `announce`. */
  const leaveChange = async (before: string, after: string) => {
    const moves = JSON.stringify([{ ref: 'refs/heads/main', before, after }])
    await sql(`insert into reference_change (project_id, user_id, moves, created_at)
      select id, (select id from "user" where username = 'bob'), '${moves}', '2026-01-01T00:00:00.000Z' from project where path = 'web'`)
  }
  const pendingRows = () => sql(`select id from reference_change ${ofProject}`)
  const pushesOfBob = async () => {
    const { items } = await forge.as('bob').events.list({ action: 'pushed' })
    return items.map(({ pushData }) => pushData?.commitTitle)
  }

  test('is recorded once by the next change, if git has made it', async () => {
    const [before = ''] = (await commit('first')).ids
    const directory = await findDirectory()
    const after = git(
      directory,
      '-c',
      'user.name=Bob',
      '-c',
      'user.email=bob@example.com',
      'commit-tree',
      'main^{tree}',
      '-p',
      'main',
      '-m',
      'Pushed',
    )
    git(directory, 'update-ref', 'refs/heads/main', after)
    await leaveChange(before, after)
    await commit('second')
    await commit('third')
    expect(await pendingRows()).toEqual([])
    expect((await pushesOfBob()).filter((title) => title === 'Pushed')).toHaveLength(1)
  })

  test('is dropped, if git has not made it', async () => {
    const [before = ''] = (await commit('first')).ids
    const earlier = (await pushesOfBob()).length
    await leaveChange(before, 'a'.repeat(40))
    await commit('second')
    expect(await pendingRows()).toEqual([])
    expect(await pushesOfBob()).toHaveLength(earlier)
  })
})
