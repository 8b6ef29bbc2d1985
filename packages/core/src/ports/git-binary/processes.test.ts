import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Git } from '../git.ts'
import { type GitBinaryOptions, gitBinary } from '../git-binary.ts'
import { childrenMarked, childrenOf } from './process-list.ts'
import { gitText, type SampleHistory, sampleHistory } from './sample-history.ts'

let sample: SampleHistory
let commit: string
let marker: string
let count = 0
let open: Git[] = []
let hosts: ChildProcess[] = []

const start = (options: GitBinaryOptions = {}): Git => {
  const git = gitBinary({ ...options, environment: { FORGELET_MARKER: marker } })
  open.push(git)
  return git
}

beforeAll(() => {
  sample = sampleHistory()
  commit = gitText(sample.directory, 'rev-parse', 'main')
})

afterEach(async () => {
  for (const git of open) await git.close()
  open = []
  for (const child of hosts) child.kill('SIGKILL')
  hosts = []
})

afterAll(() => rmSync(sample.folder, { recursive: true }))

const newMarker = () => {
  count += 1
  marker = `forgelet-processes-${process.pid}-${count}-end`
}

const until = async (what: () => boolean, time = 3000) => {
  for (const end = performance.now() + time; performance.now() < end && !what(); ) await pause(20)
  return what()
}

/** A program of its own that uses the port as a host does. */
const host = (body: string): ChildProcess => {
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

const firstOutput = async (child: ChildProcess): Promise<string> => {
  for await (const chunk of child.stdout ?? []) return String(chunk)
  return ''
}

const ended = (child: ChildProcess) =>
  new Promise<number | null>((resolve) =>
    child.exitCode === null ? child.once('exit', resolve) : resolve(child.exitCode),
  )

/** A helper names the folder of its socket in its title. */
const folderOf = (helper: string) =>
  /^forgelet-git ([^\s\0]+)/.exec(readFileSync(`/proc/${helper}/cmdline`, 'utf8'))?.[1] ?? ''

const gitProcesses = () => childrenMarked(marker, /git|bzip2/)

describe('the helper process', () => {
  test('ends with a host that is killed, and so does everything it started', async () => {
    newMarker()
    const child = host(`
      await repository.tree({ commit })
      const archive = await repository.archive({ commit, format: 'tar.bz2' })
      archive.once('readable', () => console.log('ready'))
      setInterval(() => undefined, 1000)`)
    expect(await firstOutput(child)).toContain('ready')
    const helpers = childrenOf(child.pid ?? 0)
    expect(helpers).toHaveLength(1)
    const folder = folderOf(helpers[0] ?? '')
    expect(existsSync(folder)).toBe(true)
    expect(gitProcesses().length).toBeGreaterThanOrEqual(2)
    expect(childrenOf(helpers[0] ?? '').length).toBeGreaterThanOrEqual(2)
    child.kill('SIGKILL')
    expect(await until(() => gitProcesses().length === 0 && !existsSync(`/proc/${helpers[0]}`))).toBe(true)
    expect(existsSync(folder)).toBe(false)
  })

  test('does not keep a host alive that has nothing more to do, and waits for one that has', async () => {
    newMarker()
    const child = host(`
      const { total } = await repository.tree({ commit, recursive: true })
      const people = await repository.contributors(commit)
      console.log(total > 100, people.length > 3)`)
    expect(await firstOutput(child)).toBe('true true\n')
    expect(await ended(child)).toBe(0)
    expect(await until(() => gitProcesses().length === 0)).toBe(true)
  })

  test('is waited for by close, even when nothing else keeps the host alive', async () => {
    newMarker()
    const child = host(`
      await repository.commit(commit)
      await git.close()
      console.log('closed')`)
    expect(await firstOutput(child)).toBe('closed\n')
    expect(await ended(child)).toBe(0)
  })

  test('is replaced when it dies, and calls under way fail', async () => {
    newMarker()
    const git = start()
    const repository = git.open(sample.directory)
    const before = new Set(childrenOf(process.pid))
    await repository.commit(commit)
    const [helper] = childrenOf(process.pid).filter((pid) => !before.has(pid))
    const archive = await repository.archive({ commit, format: 'tar.bz2' })
    process.kill(Number(helper), 'SIGKILL')
    await expect(buffer(archive)).rejects.toThrow()
    expect((await repository.commit(commit))?.id).toBe(commit)
    expect((await repository.branches()).length).toBeGreaterThan(40)
  })

  test('takes no connection without a token', async () => {
    newMarker()
    const git = start()
    const before = new Set(childrenOf(process.pid))
    await git.start()
    await git.open(sample.directory).commit(commit)
    const [helper = ''] = childrenOf(process.pid).filter((pid) => !before.has(pid))
    const folder = folderOf(helper)
    expect(readdirSync(folder)).toEqual(['socket'])
    const stranger = connect(join(folder, 'socket'))
    stranger.write('x'.repeat(100))
    expect(await new Promise((resolve) => stranger.once('close', () => resolve('closed')))).toBe('closed')
    expect((await git.open(sample.directory).commit(commit))?.id).toBe(commit)
    await git.close()
    expect(existsSync(folder)).toBe(false)
    expect(existsSync(`/proc/${helper}`)).toBe(false)
  })

  test.each(['helper', 'direct'] as const)('and all others are gone after close (%s)', async (way) => {
    newMarker()
    const git = start({ start: way })
    const repository = git.open(sample.directory)
    await repository.tree({ commit })
    const archive = await repository.archive({ commit, format: 'tar' })
    const torn = buffer(archive)
    torn.catch(() => undefined)
    expect(gitProcesses().length).toBeGreaterThan(0)
    await git.close()
    expect(await until(() => gitProcesses().length === 0)).toBe(true)
    await expect(torn).rejects.toThrow()
    const answer = { code: 'unavailable', reason: 'closed' }
    await expect(repository.commit(commit)).rejects.toMatchObject(answer)
    await expect(repository.branches()).rejects.toMatchObject(answer)
  })
})

describe('lookup processes', () => {
  test('there is one for a repository, and it ends when nobody asks', async () => {
    newMarker()
    const repository = start({ limits: { idleTime: 200 } }).open(sample.directory)
    await Promise.all(Array.from({ length: 50 }, () => repository.commit(commit)))
    expect(childrenMarked(marker, /batch-command/)).toHaveLength(1)
    expect(await until(() => childrenMarked(marker, /batch-command/).length === 0)).toBe(true)
    expect((await repository.commit(commit))?.id).toBe(commit)
  })

  test('many repositories share a few', async () => {
    newMarker()
    const git = start({ limits: { readers: 3 } })
    const directories = Array.from({ length: 12 }, (_, index) => join(sample.folder, `shared-${index}.git`))
    const author = { name: 'A', email: 'a@b', date: '2020-01-01T00:00:00Z' }
    const ids = await Promise.all(
      directories.map(async (directory, index) => {
        const repository = await git.create(directory)
        const files = [{ path: 'file', content: `${index}` }]
        return (await repository.write([{ branch: 'main', message: `${index}`, author, files }]))[0] ?? ''
      }),
    )
    let most = 0
    for (let round = 0; round < 5; round += 1) {
      const asked = directories.map((directory, index) => git.open(directory).commit(ids[index] ?? ''))
      most = Math.max(most, childrenMarked(marker, /batch-command/).length)
      expect((await Promise.all(asked)).map((found) => found?.title)).toEqual(ids.map((_, index) => `${index}`))
      // Once a round is answered its processes are there, idle; before, on a busy machine, perhaps not yet.
      most = Math.max(most, childrenMarked(marker, /batch-command/).length)
    }
    expect(await until(() => childrenMarked(marker, /batch-command/).length <= 3)).toBe(true)
    expect(most).toBeGreaterThan(0)
    // What one repository holds is not seen through another.
    expect(await git.open(directories[0] ?? '').commit(ids[1] ?? '')).toBeUndefined()
  })

  test('one that dies is replaced, and no question is lost', async () => {
    newMarker()
    const repository = start().open(sample.directory)
    await repository.commit(commit)
    for (let round = 0; round < 5; round += 1) {
      const asked = Promise.all(Array.from({ length: 200 }, () => repository.commit(commit)))
      for (const pid of childrenMarked(marker, /batch-command/)) process.kill(Number(pid), 'SIGKILL')
      expect((await asked).every((found) => found?.id === commit)).toBe(true)
    }
  })
})

test('a lookup that gets no answer is given up', async () => {
  newMarker()
  const program = join(sample.folder, 'silent-git')
  writeFileSync(program, '#!/bin/sh\nexec sleep 60\n', { mode: 0o755 })
  const repository = start({ program, limits: { readTime: 300 } }).open(sample.directory)
  const answer = { code: 'unavailable', reason: 'time_limit' }
  await expect(repository.commit(commit)).rejects.toMatchObject(answer)
  await expect(repository.branches()).rejects.toMatchObject(answer)
  expect(await until(() => childrenMarked(marker, /sleep/).length === 0)).toBe(true)
})

test('started directly it answers the same', async () => {
  newMarker()
  const [direct, helped] = [start({ start: 'direct' }), start()].map((git) => git.open(sample.directory))
  for (const repository of [direct, helped]) {
    expect(await repository?.tree({ commit, recursive: true })).toEqual(await helped?.tree({ commit, recursive: true }))
    expect(await repository?.branches()).toEqual(await helped?.branches())
    expect(await repository?.contributors(commit)).toEqual(await helped?.contributors(commit))
    const from = gitText(sample.directory, 'rev-parse', 'main~5')
    expect(await repository?.compare({ from, to: commit })).toEqual(await helped?.compare({ from, to: commit }))
    const archive = await repository?.archive({ commit, format: 'tar' })
    expect(archive && (await buffer(archive)).length).toBeGreaterThan(3e6)
    const left = await repository?.archive({ commit, format: 'tar.bz2' })
    left?.destroy()
  }
  expect(await until(() => childrenMarked(marker, /archive/).length === 0)).toBe(true)
})

test.each(['helper', 'direct'] as const)('a missing git is told (%s)', async (way) => {
  newMarker()
  const repository = start({ program: '/nowhere/git', start: way }).open(sample.directory)
  const answer = { code: 'unavailable', reason: 'git_missing' }
  await expect(repository.branches()).rejects.toMatchObject(answer)
  await expect(repository.commit(commit)).rejects.toMatchObject(answer)
})

test('a repository is read with its own settings switched off', async () => {
  newMarker()
  const git = start()
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
  for (const name of hostile) gitText(directory, 'config', name, program)
  gitText(directory, 'config', 'diff.noprefix', 'true')
  gitText(directory, 'config', 'color.ui', 'always')
  const repository = git.open(directory)
  const from = gitText(sample.directory, 'rev-parse', 'main~3')
  const plain = git.open(sample.directory)
  expect(await repository.compare({ from, to: commit })).toEqual(await plain.compare({ from, to: commit }))
  expect(await repository.contributors(commit)).toEqual(await plain.contributors(commit))
  expect(await repository.tags()).toEqual(await plain.tags())
  expect(existsSync(trap)).toBe(false)
})
