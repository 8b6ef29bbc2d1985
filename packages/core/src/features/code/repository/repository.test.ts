import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPlatform, sqlite } from '@forgelet/core'
import { demo, seed } from '@forgelet/core/seed'
import type { FakeForge } from '@forgelet/fixtures'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openDemo, openDemoWithCode } from '../../../../../../test/support/open-demo.ts'
import { runGitLines, runGitText } from '../../../../../../test/support/sample-history.ts'
import { world } from '../../../../../../test/world.ts'

const project = 'acme/web'
const ada = { name: 'Ada', email: 'ada@example.com', date: '2026-01-01T00:00:00Z' }
const folder = mkdtempSync(join(tmpdir(), 'forgelet-repository-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let forge: FakeForge
beforeEach(async () => {
  forge = await world({ seed: openDemo })
})
afterEach(() => forge.close())

const directoryOf = async (instance: FakeForge = forge, name = project) =>
  (await instance.host.repository.get({ project: name })).directory as string

/** Creates a repository with the git binary: four commits, two branches, one tag. */
const createGitRepository = (name: string, branch = 'trunk'): string => {
  const path = join(folder, name)
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', path, '-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args])
  execFileSync('git', ['init', '-q', '-b', branch, path])
  for (const count of [1, 2, 3]) git('commit', '-q', '--allow-empty', '-m', `Commit ${count}`)
  writeFileSync(join(path, 'readme.txt'), 'hello\n')
  git('add', '.')
  git('commit', '-q', '-m', 'Introduce')
  git('branch', 'other')
  git('tag', 'v1')
  return path
}

describe('creating commits from data', () => {
  test('creates the repository, updates the branches and records a push of the caller', async () => {
    expect(await forge.host.repository.get({ project })).toEqual({
      exists: false,
      empty: true,
      defaultBranch: 'main',
      head: null,
    })
    const { ids, pushes } = await forge.as('bob').commits.import({
      project,
      commits: [
        { message: 'First\n\nBody', files: [{ path: 'README.md', content: '# Web\n' }] },
        {
          message: 'Second',
          branch: 'topic',
          parents: [0],
          files: [{ path: 'a/b', content: 'YWI=', encoding: 'base64' }],
        },
      ],
    })
    const directory = await directoryOf()
    expect(runGitLines(directory, 'log', '--format=%H %an %ae %s', 'topic')).toEqual([
      `${ids[1]} Bob Builder bob@example.com Second`,
      `${ids[0]} Bob Builder bob@example.com First`,
    ])
    expect(runGitText(directory, 'show', 'topic:a/b')).toBe('ab')
    expect(pushes).toMatchObject([
      { ref: 'main', action: 'created', commitCount: 1, commitTitle: 'First', commitFrom: null, commitTo: ids[0] },
      { ref: 'topic', action: 'created', commitCount: 1, commitTitle: 'Second', commitTo: ids[1] },
    ])
    const { items } = await forge.as('bob').events.list({ project, action: 'pushed' })
    expect(items.map(({ actionName, pushData, author }) => [actionName, pushData?.ref, author.username])).toEqual([
      ['pushed new', 'topic', 'bob'],
      ['pushed new', 'main', 'bob'],
    ])
  })

  test('updates the project record', async () => {
    const before = await forge.host.projects.get({ project })
    expect(before).toMatchObject({ emptyRepo: true, readmeFile: null })
    await forge.as('bob').commits.import({
      project,
      commits: [{ message: 'x', files: ['readme', 'README.rst', 'Readme.md'].map((path) => ({ path, content: 'x' })) }],
    })
    const after = await forge.host.projects.get({ project })
    expect(after).toMatchObject({ emptyRepo: false, readmeFile: 'Readme.md', defaultBranch: 'main' })
    expect(after.lastActivityAt >= before.lastActivityAt).toBe(true)
    const { items } = await forge.host.groups.list({ search: 'acme', statistics: true })
    expect(items.find(({ fullPath }) => fullPath === 'acme')?.statistics?.repositorySize).toBeGreaterThan(0)
  })

  test('makes the first branch the default branch of an empty project', async () => {
    const commits = [{ branch: 'develop', message: 'x', files: [{ path: 'a', content: 'a' }] }]
    await forge.as('bob').commits.import({ project, commits })
    expect(await forge.host.projects.get({ project })).toMatchObject({ defaultBranch: 'develop' })
    expect(runGitText(await directoryOf(), 'symbolic-ref', 'HEAD')).toBe('refs/heads/develop')
  })

  test('requires an author and records no activity if the host names no user', async () => {
    const commit = { message: 'x', files: [{ path: 'a', content: 'a' }] }
    await expect(forge.host.commits.import({ project, commits: [commit] })).rejects.toMatchObject({
      code: 'invalid_input',
    })
    await forge.host.commits.import({ project, commits: [{ ...commit, author: ada }] })
    expect((await forge.as('alice').events.list({ project, action: 'pushed' })).items).toEqual([])
    await expect(
      forge.as('bob').commits.import({ project, commits: [commit], pushedBy: 'alice' }),
    ).rejects.toMatchObject({ code: 'forbidden' })
    const { ids } = await forge.host.commits.import({ project, commits: [commit], pushedBy: 'carol' })
    expect(await forge.host.commits.get({ project, sha: ids[0] as string })).toMatchObject({
      authorName: 'Carol Danvers',
    })
  })

  test('rejects all commits if one of them is invalid', async () => {
    await forge.as('bob').commits.import({ project, commits: [{ message: 'x', files: [{ path: 'a', content: 'a' }] }] })
    const head = (await forge.host.repository.get({ project })).head
    for (const path of ['../out', '.git/config', 'a/../b', '/etc/passwd', '']) {
      const commits = [
        { message: 'fine', files: [{ path: 'b', content: 'b' }] },
        { message: 'not fine', files: [{ path, content: 'c' }] },
      ]
      await expect(forge.as('bob').commits.import({ project, commits })).rejects.toMatchObject({ code: 'invalid' })
    }
    expect((await forge.host.repository.get({ project })).head).toBe(head)
  })

  test('accepts concurrent commits to different branches', async () => {
    await forge.as('bob').commits.import({ project, commits: [{ message: '0', files: [{ path: '0', content: '' }] }] })
    const names = ['1', '2', '3', '4']
    await Promise.all(
      names.map((name) =>
        forge
          .as('bob')
          .commits.import({ project, commits: [{ message: name, branch: `b${name}`, parents: [], files: [] }] }),
      ),
    )
    const { items } = await forge.as('bob').branches.list({ project })
    expect(items.map(({ name }) => name)).toEqual(['b1', 'b2', 'b3', 'b4', 'main'])
  })
})

describe('importing a repository', () => {
  test('copies branches and tags and reports progress', async () => {
    const path = createGitRepository('copied')
    const steps: string[] = []
    const state = await forge.host.repository.import({ project, path, onProgress: ({ step }) => void steps.push(step) })
    expect([...new Set(steps)]).toEqual(['copying', 'reading', 'done'])
    expect(state).toMatchObject({ exists: true, empty: false, defaultBranch: 'trunk' })
    expect(state.head).toBe(runGitText(join(path, '.git'), 'rev-parse', 'trunk'))
    const { items } = await forge.as('dave').branches.list({ project })
    expect(items.map(({ name, default: isDefault }) => [name, isDefault])).toEqual([
      ['other', false],
      ['trunk', true],
    ])
    expect((await forge.as('dave').tags.list({ project })).items.map(({ name }) => name)).toEqual(['v1'])
    expect(await forge.host.projects.get({ project })).toMatchObject({ readmeFile: 'readme.txt', emptyRepo: false })
    await expect(forge.host.repository.import({ project, path })).rejects.toMatchObject({ code: 'conflict' })
  })

  test('uses the repository in place and keeps it when the project is deleted', async () => {
    const path = createGitRepository('in-place')
    await forge.host.repository.import({ project, path, inPlace: true })
    expect(await directoryOf()).toBe(join(path, '.git'))
    await expect(forge.host.repository.import({ project: 'bob/notes', path, inPlace: true })).rejects.toMatchObject({
      code: 'conflict',
      message: 'The repository belongs to another project',
    })
    await forge.host.projects.remove({ project })
    await forge.platform.jobs.drain()
    expect(existsSync(join(path, '.git', 'HEAD'))).toBe(true)
  })

  test.each([false, true])('selects the default branch of a detached HEAD (in place: %s)', async (inPlace) => {
    const path = createGitRepository(`detached-${inPlace}`)
    const git = (...args: string[]) => runGitText(join(path, '.git'), ...args)
    git('update-ref', 'refs/heads/another', 'HEAD~1')
    git('update-ref', '-d', 'refs/heads/other')
    const head = git('rev-parse', 'trunk')
    git('update-ref', '--no-deref', 'HEAD', head)
    execFileSync('git', ['-C', path, 'checkout', '-q', '--detach'])
    const expected = { empty: false, defaultBranch: 'trunk', head }
    expect(await forge.host.repository.import({ project, path, inPlace })).toMatchObject(expected)
    expect(await forge.host.repository.get({ project })).toMatchObject(expected)
    expect(await forge.host.projects.get({ project })).toMatchObject({ defaultBranch: 'trunk', emptyRepo: false })
    // The working directory of a repository in place does not change.
    const copy = await directoryOf()
    if (inPlace) expect(git('rev-parse', '--abbrev-ref', 'HEAD')).toBe('HEAD')
    else expect(runGitText(copy, 'symbolic-ref', 'HEAD')).toBe('refs/heads/trunk')
  })

  test('keeps the commits of a detached HEAD without branches', async () => {
    const path = createGitRepository('no-branches')
    const head = runGitText(join(path, '.git'), 'rev-parse', 'HEAD')
    execFileSync('git', ['-C', path, 'checkout', '-q', '--detach'])
    for (const branch of ['trunk', 'other']) runGitText(join(path, '.git'), 'update-ref', '-d', `refs/heads/${branch}`)
    const state = await forge.host.repository.import({ project, path })
    expect(state).toMatchObject({ empty: false, defaultBranch: 'main', head })
    expect(await forge.host.projects.get({ project })).toMatchObject({ emptyRepo: false, readmeFile: 'readme.txt' })
    expect((await forge.host.repository.listTree({ project })).items).toMatchObject([{ path: 'readme.txt' }])
  })

  test.each([false, true])('rejects SHA-256 object ids with the reason (in place: %s)', async (inPlace) => {
    const path = join(folder, `sha256-${inPlace}`)
    execFileSync('git', ['init', '-q', '--object-format=sha256', path])
    await expect(forge.host.repository.import({ project, path, inPlace })).rejects.toMatchObject({
      code: 'invalid',
      message: 'path is a repository with sha256 object ids; only sha1 is supported',
    })
    expect(await forge.host.repository.get({ project })).toMatchObject({ exists: false })
  })

  test('requires an administrator and an existing repository', async () => {
    await expect(
      forge.as('alice').repository.import({ project, path: createGitRepository('other') }),
    ).rejects.toMatchObject({
      code: 'forbidden',
    })
    await expect(forge.host.repository.import({ project, path: join(folder, 'nowhere') })).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})

describe('recording a push', () => {
  test('reads its commits from the repository and emits it', async () => {
    const path = createGitRepository('hooked')
    const directory = join(path, '.git')
    await forge.host.repository.import({ project, path, inPlace: true })
    const [after = '', , before = ''] = runGitLines(directory, 'rev-list', 'trunk')
    const emitted: unknown[] = []
    forge.platform.on('code.pushed', (payload) => void emitted.push(payload))
    const change = (ref: string, before: string | null, after: string | null) => ({ ref, before, after })
    const pushes = await forge.host.repository.recordPush({
      project,
      pushedBy: 'bob',
      changes: [
        change('refs/heads/trunk', before, after),
        change('refs/tags/v1', null, after),
        change('refs/heads/gone', before, null),
      ],
    })
    expect(pushes).toMatchObject([
      { ref: 'trunk', refType: 'branch', action: 'pushed', commitCount: 2, commitTitle: 'Introduce' },
      { ref: 'v1', refType: 'tag', action: 'created', commitCount: 0, commitTitle: 'Introduce' },
      { ref: 'gone', refType: 'branch', action: 'removed', commitCount: 0, commitTitle: null },
    ])
    await new Promise((resolve) => setImmediate(resolve))
    expect(emitted).toHaveLength(3)
    const unknown = [change('refs/heads/trunk', null, 'a'.repeat(40))]
    await expect(forge.host.repository.recordPush({ project, changes: unknown })).rejects.toMatchObject({
      code: 'not_found',
    })
    await expect(
      forge.host.repository.recordPush({ project, changes: [change('refs/heads/x', null, null)] }),
    ).rejects.toMatchObject({ code: 'invalid' })
  })
})

test('creates a tag at the default branch, not at a tag of the same name', async () => {
  const files = [{ path: 'a', content: 'a' }]
  const commits = ['one', 'two'].map((message) => ({ message, author: ada, files }))
  const { ids } = await forge.host.commits.import({ project, commits })
  await forge.host.tags.create({ project, tagName: 'main', ref: ids[0] as string })
  expect(await forge.host.tags.create({ project, tagName: 'v2' })).toMatchObject({ commit: { id: ids[1] } })
})

test('creates a tag once', async () => {
  await forge.as('bob').commits.import({ project, commits: [{ message: 'x', files: [{ path: 'a', content: 'a' }] }] })
  expect(await forge.as('bob').tags.create({ project, tagName: 'v1', message: 'Version 1' })).toMatchObject({
    name: 'v1',
    message: 'Version 1',
  })
  expect(runGitText(await directoryOf(), 'cat-file', '-t', 'v1')).toBe('tag')
  await expect(forge.as('bob').tags.create({ project, tagName: 'v1' })).rejects.toMatchObject({
    code: 'invalid',
  })
  await expect(forge.as('bob').tags.create({ project, tagName: 'v2', ref: 'x' })).rejects.toMatchObject({
    code: 'invalid',
  })
  await expect(forge.as('bob').tags.create({ project, tagName: '-x' })).rejects.toMatchObject({ code: 'invalid' })
})

test('only the host creates tags for another user', async () => {
  await forge.as('bob').commits.import({ project, commits: [{ message: 'x', files: [{ path: 'a', content: 'a' }] }] })
  const tag = { project, tagName: 'v1', pushedBy: 'alice' }
  await expect(forge.as('bob').tags.create(tag)).rejects.toMatchObject({ code: 'forbidden' })
  await forge.host.tags.create(tag)
  const { items } = await forge.as('alice').events.list({})
  expect(items[0]?.pushData).toMatchObject({ refType: 'tag', ref: 'v1' })
})

test('a maintainer creates an empty repository once', async () => {
  await expect(forge.as('bob').repository.create({ project })).rejects.toMatchObject({ code: 'forbidden' })
  expect(await forge.as('alice').repository.create({ project })).toMatchObject({ exists: true, empty: true })
  await expect(forge.as('alice').repository.create({ project })).rejects.toMatchObject({ code: 'conflict' })
  await expect(forge.as('alice').repository.listTree({ project })).rejects.toMatchObject({
    code: 'not_found',
    kind: 'Tree',
  })
})

test('a change of the default branch updates HEAD of the repository', async () => {
  const commits = ['main', 'next'].map((branch) => ({
    branch,
    message: branch,
    files: [{ path: branch === 'main' ? 'README' : 'README.md', content: branch }],
  }))
  await forge.as('bob').commits.import({ project, commits })
  await forge.as('alice').projects.update({ project, defaultBranch: 'next' })
  await forge.platform.jobs.drain()
  expect(runGitText(await directoryOf(), 'symbolic-ref', 'HEAD')).toBe('refs/heads/next')
  expect(await forge.host.projects.get({ project })).toMatchObject({ readmeFile: 'README.md' })
})

test('files are deleted after their project or its group', async () => {
  for (const remove of [
    () => forge.host.projects.remove({ project }),
    () => forge.host.groups.remove({ group: 'acme' }),
  ]) {
    const name = (await forge.host.projects.get({ project }).catch(() => undefined)) ? project : 'acme/tools/deploy'
    await forge.host.commits.import({
      project: name,
      commits: [{ message: 'x', author: ada, files: [{ path: 'a', content: 'a' }] }],
    })
    const directory = await directoryOf(forge, name)
    await remove()
    expect(existsSync(directory)).toBe(true)
    await forge.platform.jobs.drain()
    expect(existsSync(directory)).toBe(false)
  }
})

describe('forges with the same seed', () => {
  test('share a repository until they write to it', async () => {
    const one = await world({ seed: openDemoWithCode })
    const other = await world({ seed: openDemoWithCode })
    try {
      const { head } = await one.host.repository.get({ project })
      expect(head).not.toBeNull()
      expect((await other.host.repository.get({ project })).head).toBe(head)
      const { ids } = await one.as('bob').commits.import({
        project,
        commits: [{ message: 'Only here', files: [{ path: 'only-here', content: 'x' }] }],
      })
      expect((await one.host.repository.get({ project })).head).toBe(ids[0])
      expect((await other.host.repository.get({ project })).head).toBe(head)
      const copy = await directoryOf(one)
      await one.reset()
      expect((await one.host.repository.get({ project })).head).toBe(head)
      await one.close()
      expect(existsSync(copy)).toBe(false)
      expect((await other.host.repository.get({ project })).head).toBe(head)
    } finally {
      await Promise.all([one.close(), other.close()])
    }
  })
})

describe('repository storage', () => {
  const commits = [{ message: 'x', author: ada, files: [{ path: 'a', content: 'a' }] }]

  test('is next to the data file and persists', async () => {
    const file = join(folder, 'forge.db')
    const first = createPlatform(sqlite(file))
    await seed(first, demo)
    const { ids } = await first.as({ system: 'test' }).commits.import({ project, commits })
    await first.close()
    expect(readdirSync(`${file}.repositories`)).toHaveLength(1)
    const second = createPlatform(sqlite(file))
    expect(await second.as({ system: 'test' }).repository.get({ project })).toMatchObject({ head: ids[0] })
    await second.close()
  })

  test('is in the folder from the options', async () => {
    const storage = join(folder, 'elsewhere')
    const platform = createPlatform(sqlite(':memory:'), { repositories: storage })
    await seed(platform, demo)
    await platform.as({ system: 'test' }).commits.import({ project, commits })
    await platform.close()
    expect(readdirSync(storage)).toHaveLength(1)
  })

  test('keeps no files of a repository that could not be recorded', async () => {
    const storage = join(folder, 'failing')
    const platform = createPlatform(sqlite(':memory:'), { repositories: storage })
    await seed(platform, demo)
    const host = platform.as({ system: 'test' })
    const both = await Promise.allSettled([host.repository.create({ project }), host.repository.create({ project })])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const heads = readdirSync(storage, { recursive: true }).filter((name) => String(name).endsWith('HEAD'))
    expect(heads).toHaveLength(1)
    await platform.close()
  })
})
