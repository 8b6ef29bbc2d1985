import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { findChildProcesses, findMarkedProcesses } from '../../../../../test/support/process-list.ts'
import { createSampleHistory, runGitText, type SampleHistory } from '../../../../../test/support/sample-history.ts'
import type { Git } from '../git.ts'
import { type GitBinaryOptions, gitBinary } from '../git-binary.ts'

let sample: SampleHistory
let commit: string
let marker: string
let count = 0
let openedGits: Git[] = []
let hosts: ChildProcess[] = []

const createGit = (options: GitBinaryOptions = {}): Git => {
  const git = gitBinary({ ...options, environment: { FORGELET_MARKER: marker } })
  openedGits.push(git)
  return git
}

beforeAll(() => {
  sample = createSampleHistory()
  commit = runGitText(sample.directory, 'rev-parse', 'main')
})

afterEach(async () => {
  for (const git of openedGits) await git.close()
  openedGits = []
  for (const child of hosts) child.kill('SIGKILL')
  hosts = []
})

afterAll(() => rmSync(sample.folder, { recursive: true }))

const changeMarker = () => {
  count += 1
  marker = `forgelet-processes-${process.pid}-${count}-end`
}

const waitUntil = async (condition: () => boolean, milliseconds = 3000) => {
  for (const end = performance.now() + milliseconds; performance.now() < end && !condition(); ) await pause(20)
  return condition()
}

/** Starts a host process that uses the port. */
const startHost = (body: string): ChildProcess => {
  const file = join(sample.folder, `host-${count}.ts`)
  const module = fileURLToPath(new URL('../git-binary.ts', import.meta.url))
  writeFileSync(
    file,
    `import { gitBinary } from ${JSON.stringify(module)}
const git = gitBinary({ environment: { FORGELET_MARKER: ${JSON.stringify(marker)} } })
const repository = git.open(${JSON.stringify(sample.directory)})
const commit = ${JSON.stringify(commit)}
${body}`,
  )
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] })
  hosts.push(child)
  return child
}

const readFirstOutput = async (child: ChildProcess): Promise<string> => {
  for await (const chunk of child.stdout ?? []) return String(chunk)
  return ''
}

const waitForExit = (child: ChildProcess) =>
  new Promise<number | null>((resolve) =>
    child.exitCode === null ? child.once('exit', resolve) : resolve(child.exitCode),
  )

/** The process title of a helper contains the folder of its socket. */
const findHelperFolder = (helper: string) =>
  /^forgelet-git ([^\s\0]+)/.exec(readFileSync(`/proc/${helper}/cmdline`, 'utf8'))?.[1] ?? ''

const listGitProcesses = () => findMarkedProcesses(marker, /git|bzip2/)

describe('the helper process', () => {
  test('ends with all its processes when the host is killed', async () => {
    changeMarker()
    const child = startHost(`
      await repository.tree({ commit })
      const archive = await repository.archive({ commit, format: 'tar.bz2' })
      archive.once('readable', () => console.log('ready'))
      setInterval(() => undefined, 1000)`)
    expect(await readFirstOutput(child)).toContain('ready')
    const helpers = findChildProcesses(child.pid ?? 0)
    expect(helpers).toHaveLength(1)
    const folder = findHelperFolder(helpers[0] ?? '')
    expect(existsSync(folder)).toBe(true)
    expect(listGitProcesses().length).toBeGreaterThanOrEqual(2)
    expect(findChildProcesses(helpers[0] ?? '').length).toBeGreaterThanOrEqual(2)
    child.kill('SIGKILL')
    expect(await waitUntil(() => listGitProcesses().length === 0 && !existsSync(`/proc/${helpers[0]}`))).toBe(true)
    expect(existsSync(folder)).toBe(false)
  })

  test('keeps the host alive during calls only', async () => {
    changeMarker()
    const child = startHost(`
      const { total } = await repository.tree({ commit, recursive: true })
      const { contributors } = await repository.contributors(commit)
      console.log(total > 100, contributors.length > 3)`)
    expect(await readFirstOutput(child)).toBe('true true\n')
    expect(await waitForExit(child)).toBe(0)
    expect(await waitUntil(() => listGitProcesses().length === 0)).toBe(true)
  })

  test('close waits for its exit when nothing else keeps the host alive', async () => {
    changeMarker()
    const child = startHost(`
      await repository.commit(commit)
      await git.close()
      console.log('closed')`)
    expect(await readFirstOutput(child)).toBe('closed\n')
    expect(await waitForExit(child)).toBe(0)
  })

  test('is restarted after its exit, and running calls fail', async () => {
    changeMarker()
    const git = createGit()
    const repository = git.open(sample.directory)
    const before = new Set(findChildProcesses(process.pid))
    await repository.commit(commit)
    const [helper] = findChildProcesses(process.pid).filter((pid) => !before.has(pid))
    const archive = await repository.archive({ commit, format: 'tar.bz2' })
    process.kill(Number(helper), 'SIGKILL')
    await expect(buffer(archive)).rejects.toThrow()
    expect((await repository.commit(commit))?.id).toBe(commit)
    expect((await repository.branches()).length).toBeGreaterThan(40)
  })

  test('rejects a connection without a valid token', async () => {
    changeMarker()
    const git = createGit()
    const before = new Set(findChildProcesses(process.pid))
    await git.start()
    await git.open(sample.directory).commit(commit)
    const [helper = ''] = findChildProcesses(process.pid).filter((pid) => !before.has(pid))
    const folder = findHelperFolder(helper)
    expect(readdirSync(folder)).toEqual(['socket'])
    const stranger = connect(join(folder, 'socket'))
    stranger.write('x'.repeat(100))
    expect(await new Promise((resolve) => stranger.once('close', () => resolve('closed')))).toBe('closed')
    expect((await git.open(sample.directory).commit(commit))?.id).toBe(commit)
    await git.close()
    expect(existsSync(folder)).toBe(false)
    expect(existsSync(`/proc/${helper}`)).toBe(false)
  })

  test.each(['helper', 'direct'] as const)('all processes end with close (%s)', async (spawnMode) => {
    changeMarker()
    const git = createGit({ spawnMode })
    const repository = git.open(sample.directory)
    await repository.tree({ commit })
    const archive = await repository.archive({ commit, format: 'tar' })
    const content = buffer(archive)
    content.catch(() => undefined)
    expect(listGitProcesses().length).toBeGreaterThan(0)
    await git.close()
    expect(await waitUntil(() => listGitProcesses().length === 0)).toBe(true)
    await expect(content).rejects.toThrow()
    const error = { code: 'unavailable', reason: 'shutdown' }
    await expect(repository.commit(commit)).rejects.toMatchObject(error)
    await expect(repository.branches()).rejects.toMatchObject(error)
  })
})

describe('lookup processes', () => {
  test('a repository has one process, which ends when idle', async () => {
    changeMarker()
    const repository = createGit({ limits: { idleTimeout: 200 } }).open(sample.directory)
    await Promise.all(Array.from({ length: 50 }, () => repository.commit(commit)))
    expect(findMarkedProcesses(marker, /batch-command/)).toHaveLength(1)
    expect(await waitUntil(() => findMarkedProcesses(marker, /batch-command/).length === 0)).toBe(true)
    expect((await repository.commit(commit))?.id).toBe(commit)
  })

  test('limits the processes of many repositories', async () => {
    changeMarker()
    const git = createGit({ limits: { lookupProcesses: 3 } })
    const directories = Array.from({ length: 12 }, (_, index) => join(sample.folder, `shared-${index}.git`))
    const author = { name: 'A', email: 'a@b', date: '2020-01-01T00:00:00Z' }
    const ids = await Promise.all(
      directories.map(async (directory, index) => {
        const repository = await git.create(directory)
        const files = [{ path: 'file', content: `${index}` }]
        return (await repository.writeCommits([{ branch: 'main', message: `${index}`, author, files }]))[0] ?? ''
      }),
    )
    let maximum = 0
    for (let round = 0; round < 5; round += 1) {
      const commits = directories.map((directory, index) => git.open(directory).commit(ids[index] ?? ''))
      maximum = Math.max(maximum, findMarkedProcesses(marker, /batch-command/).length)
      expect((await Promise.all(commits)).map((found) => found?.title)).toEqual(ids.map((_, index) => `${index}`))
      // On a busy machine, the processes may not run before the end of the round.
      maximum = Math.max(maximum, findMarkedProcesses(marker, /batch-command/).length)
    }
    expect(await waitUntil(() => findMarkedProcesses(marker, /batch-command/).length <= 3)).toBe(true)
    expect(maximum).toBeGreaterThan(0)
    // A commit of one repository is not visible in another.
    expect(await git.open(directories[0] ?? '').commit(ids[1] ?? '')).toBeUndefined()
  })

  test('restarts a killed process without losing lookups', async () => {
    changeMarker()
    const repository = createGit().open(sample.directory)
    await repository.commit(commit)
    for (let round = 0; round < 5; round += 1) {
      const commits = Promise.all(Array.from({ length: 200 }, () => repository.commit(commit)))
      for (const pid of findMarkedProcesses(marker, /batch-command/)) process.kill(Number(pid), 'SIGKILL')
      expect((await commits).every((found) => found?.id === commit)).toBe(true)
    }
  })
})

test('calls end at their time limit', async () => {
  changeMarker()
  const program = join(sample.folder, 'silent-git')
  writeFileSync(program, '#!/bin/sh\nexec sleep 60\n', { mode: 0o755 })
  const repository = createGit({ program, limits: { readTimeout: 300 } }).open(sample.directory)
  const error = { code: 'unavailable', reason: 'time_limit' }
  await expect(repository.commit(commit)).rejects.toMatchObject(error)
  await expect(repository.branches()).rejects.toMatchObject(error)
  expect(await waitUntil(() => findMarkedProcesses(marker, /sleep/).length === 0)).toBe(true)
})

test('both spawn modes return the same results', async () => {
  changeMarker()
  const [direct, withHelper] = [createGit({ spawnMode: 'direct' }), createGit()].map((git) =>
    git.open(sample.directory),
  )
  for (const repository of [direct, withHelper]) {
    expect(await repository?.tree({ commit, recursive: true })).toEqual(
      await withHelper?.tree({ commit, recursive: true }),
    )
    expect(await repository?.branches()).toEqual(await withHelper?.branches())
    expect(await repository?.contributors(commit)).toEqual(await withHelper?.contributors(commit))
    const from = runGitText(sample.directory, 'rev-parse', 'main~5')
    expect(await repository?.compare({ from, to: commit })).toEqual(await withHelper?.compare({ from, to: commit }))
    const archive = await repository?.archive({ commit, format: 'tar' })
    expect(archive && (await buffer(archive)).length).toBeGreaterThan(3e6)
    const unread = await repository?.archive({ commit, format: 'tar.bz2' })
    unread?.destroy()
  }
  expect(await waitUntil(() => findMarkedProcesses(marker, /archive/).length === 0)).toBe(true)
})

test.each(['helper', 'direct'] as const)('reports a missing git program (%s)', async (spawnMode) => {
  changeMarker()
  const repository = createGit({ program: '/nowhere/git', spawnMode }).open(sample.directory)
  const error = { code: 'unavailable', reason: 'git_missing' }
  await expect(repository.branches()).rejects.toMatchObject(error)
  await expect(repository.commit(commit)).rejects.toMatchObject(error)
})

test('ignores the configuration of the repository', async () => {
  changeMarker()
  const git = createGit()
  const directory = join(sample.folder, 'hostile.git')
  await git.clone(sample.directory, directory)
  const trap = join(sample.folder, 'trapped')
  writeFileSync(join(sample.folder, 'trap'), `#!/bin/sh\ntouch ${trap}\n`, { mode: 0o755 })
  const program = join(sample.folder, 'trap')
  const hostile = [
    'core.fsmonitor',
    'diff.external',
    'core.pager',
    'core.sshCommand',
    'diff.x.textconv',
    'diff.x.command',
  ]
  for (const name of hostile) runGitText(directory, 'config', name, program)
  runGitText(directory, 'config', 'diff.noprefix', 'true')
  runGitText(directory, 'config', 'color.ui', 'always')
  const repository = git.open(directory)
  const from = runGitText(sample.directory, 'rev-parse', 'main~3')
  const plain = git.open(sample.directory)
  expect(await repository.compare({ from, to: commit })).toEqual(await plain.compare({ from, to: commit }))
  expect(await repository.contributors(commit)).toEqual(await plain.contributors(commit))
  expect(await repository.tags()).toEqual(await plain.tags())
  expect(existsSync(trap)).toBe(false)
})
