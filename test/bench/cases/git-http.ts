import { spawn } from 'node:child_process'
import { randomFillSync } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { basename, dirname } from 'node:path'
import { createPlatform, sqlite } from '@forgelet/core'
import { demo, seed } from '@forgelet/core/seed'
import { serve } from '@forgelet/http'
import { buildGitEnvironment } from '../../../packages/core/src/ports/git-binary/environment.ts'
import { createSampleHistory, runGit } from '../../support/sample-history.ts'
import { alternate, median, pairedRatio } from '../measure.ts'
import { type BackendServer, startGitBackend } from '../servers/git-backend.ts'
import { atLeast, atMost, type Line, type Table } from '../table.ts'
import { temporaryPath } from '../temporary-files.ts'

const mebibyte = 1024 ** 2
const largeSize = 256 * mebibyte
const referenceCount = 10_000
const project = 'acme/web'

const environment = {
  ...buildGitEnvironment({}, ['http', 'file']),
  GIT_TERMINAL_PROMPT: '0',
}

/** Runs git as a client. Returns the milliseconds. */
const runClient = async (...args: readonly string[]): Promise<number> => {
  const start = performance.now()
  const child = spawn('git', args, { env: environment, stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`git ${args.join(' ')} ended with ${code}`)
  return performance.now() - start
}

const clone = async (url: string): Promise<number> => {
  const target = temporaryPath('clone.git')
  const time = await runClient('clone', '--quiet', '--bare', url, target)
  rmSync(target, { recursive: true })
  return time
}

/** Fetches the newest commits of `main` into a clone that has the older ones. */
const fetchNewest = async (url: string): Promise<number> => {
  const target = temporaryPath('fetch.git')
  await runClient('clone', '--quiet', '--bare', '--single-branch', '--branch=light', url, target)
  const time = await runClient('--git-dir', target, 'fetch', '--quiet', url, 'main')
  rmSync(target, { recursive: true })
  return time
}

/** Milliseconds until the first byte of the references in version 0 of the protocol, which lists all of them. */
const timeToFirstByte = (url: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const start = performance.now()
    get(`${url}/info/refs?service=git-upload-pack`, (response) => {
      response.once('data', () => resolve(performance.now() - start))
      response.on('error', reject).resume()
    }).on('error', reject)
  })

/** A bare repository with one incompressible file. */
const createLargeRepository = (): string => {
  const directory = temporaryPath('large.git')
  mkdirSync(directory)
  runGit(directory, ['init', '-q', '--bare', '--template=', '-b', 'main', directory])
  const commands = [
    Buffer.from(`blob\nmark :1\ndata ${largeSize}\n`),
    randomFillSync(Buffer.alloc(largeSize)),
    Buffer.from('\ncommit refs/heads/main\ncommitter A <a@example.com> 1 +0000\ndata 1\nx\nM 100644 :1 file\ndone\n'),
  ]
  const options = ['-c', 'core.compression=0', '-c', 'core.bigFileThreshold=1m']
  runGit(directory, [...options, 'fast-import', '--quiet', '--done'], Buffer.concat(commands))
  return directory
}

/** A repository at our URL, and at that of `git http-backend`. */
interface Target {
  readonly ours: string
  readonly backend: string
}

/** Serves the repository of a directory with both servers while `measure` runs. */
const withServers = async <T>(directory: string, measure: (target: Target) => Promise<T>): Promise<T> => {
  const platform = createPlatform(sqlite(':memory:'))
  await platform.ports.git.start()
  await seed(platform, demo)
  await platform.as({ system: 'bench' }).repository.import({ project, path: directory, inPlace: true })
  const server = await serve(platform, { port: 0 })
  const backend: BackendServer = await startGitBackend(dirname(directory))
  try {
    return await measure({ ours: `${server.url}/${project}.git`, backend: `${backend.url}/${basename(directory)}` })
  } finally {
    await backend.close()
    await server.close()
    await platform.close()
  }
}

const compareSpeed = async (
  what: string,
  rounds: number,
  target: Target,
  measure: (url: string) => Promise<number>,
): Promise<Line> => {
  await measure(target.ours)
  const times = await alternate(['ours', 'backend'], rounds, (name) => measure(target[name]))
  const speed = pairedRatio(times.backend, times.ours)
  return atLeast(what, [median(times.ours), median(times.backend), speed], speed, 0.9)
}

const measureSample = async (): Promise<Line[]> => {
  const { directory } = createSampleHistory()
  runGit(directory, ['gc', '--quiet'])
  return withServers(directory, async (target) => [
    await compareSpeed('clone of 1,200 commits', 15, target, clone),
    await compareSpeed('fetch of new commits', 15, target, fetchNewest),
  ])
}

const measureReferences = async (): Promise<Line[]> => {
  const { directory } = createSampleHistory()
  const tip = runGit(directory, ['rev-parse', 'main']).toString().trim()
  const names = Array.from({ length: referenceCount }, (_, at) => `create refs/heads/many/${at} ${tip}\n`)
  runGit(directory, ['update-ref', '--stdin'], Buffer.from(names.join('')))
  runGit(directory, ['pack-refs', '--all'])
  return withServers(directory, async (target) => {
    const times = await alternate(['ours', 'backend'], 40, (name) => timeToFirstByte(target[name]))
    const first = median(times.ours)
    const values = [first, median(times.backend), pairedRatio(times.backend, times.ours)]
    const details = { unit: 'ms', reference: 'none: an absolute limit' }
    return [atMost(`first byte with ${referenceCount.toLocaleString('en')} references: ms`, values, first, 15, details)]
  })
}

const measureLarge = (): Promise<Line[]> =>
  withServers(createLargeRepository(), async (target) => {
    const before = process.memoryUsage.rss()
    let peak = before
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage.rss())
    }, 10)
    await clone(target.ours)
    clearInterval(watch)
    const added = (peak - before) / mebibyte
    const details = { unit: 'MiB', reference: 'none: an absolute limit' }
    const memory = atMost('additional memory during the first clone: MiB', [added, '', ''], added, 64, details)
    return [await compareSpeed(`clone of ${largeSize / mebibyte} MiB`, 3, target, clone), memory]
  })

/** Git over HTTP compared with `git http-backend` behind `node:http`. */
export async function gitOverHttp(): Promise<Table[]> {
  return [
    {
      title: 'Git over HTTP',
      reference: '`git http-backend` behind `node:http`',
      columns: ['ours ms', 'http-backend ms', 'speed'],
      lines: [...(await measureSample()), ...(await measureReferences()), ...(await measureLarge())],
      notes: ['Both servers run in the process of the benchmark; the client is the installed git.'],
    },
  ]
}
