import { randomFillSync } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createPlatform, sqlite } from '@forgelet/core'
import { demo, seed } from '@forgelet/core/seed'
import { expect, test } from 'vitest'
import { folder, serving } from '../cli/command-line.ts'
import { runGit } from '../support/sample-history.ts'

const mebibyte = 1024 ** 2
const files = 50
const fileSize = 10 * mebibyte

/** Creates a bare repository with one commit of 500 MiB: one incompressible file with 50 names. */
const createLargeRepository = (): string => {
  const directory = join(folder, 'large.git')
  mkdirSync(directory)
  runGit(directory, ['init', '-q', '--bare', '--template=', '-b', 'main', directory])
  const names = Array.from({ length: files }, (_, file) => `M 100644 :1 file-${file}.bin\n`)
  const commands = [
    `blob\nmark :1\ndata ${fileSize}\n`,
    randomFillSync(Buffer.alloc(fileSize)),
    '\ncommit refs/heads/main\ncommitter A <a@example.com> 1 +0000\ndata 1\nx\n',
    ...names,
    'done\n',
  ]
  const settings = ['-c', 'core.compression=0']
  runGit(
    directory,
    [...settings, 'fast-import', '--quiet', '--done'],
    Buffer.concat(commands.map((part) => Buffer.from(part))),
  )
  return directory
}

/** The resident memory of a process in MiB. */
const memoryOf = (pid: number): number => {
  const [, kibibytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kibibytes) / 1024
}

/** The number of running `git archive` processes for this repository. */
const countArchivers = (directory: string): number =>
  readdirSync('/proc').filter((name) => {
    try {
      const args = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0')
      return args.includes('archive') && args.some((arg) => arg.includes(directory))
    } catch {
      return false
    }
  }).length

const request = (url: string) =>
  new Promise<IncomingMessage>((resolve, reject) => get(url, { agent: false }, resolve).on('error', reject))

const createDataFile = async (directory: string): Promise<string> => {
  const file = join(folder, 'large.db')
  const platform = createPlatform(sqlite(file))
  await seed(platform, demo)
  const host = platform.as({ system: 'test' })
  await host.repository.import({ project: 'acme/web', path: directory, inPlace: true })
  await platform.close()
  return file
}

test.runIf(process.platform === 'linux')(
  'streams an archive of 500 MiB with little memory, and stops git when the client disconnects',
  async () => {
    const directory = createLargeRepository()
    const { url, child, stop } = await serving(['--data', await createDataFile(directory)])
    const pid = child.pid as number
    const archive = `${url}/api/v4/projects/acme%2Fweb/repository/archive.tar`
    // Excludes the memory of modules that the first reply loads.
    await (await fetch(`${url}/api/v4/projects/acme%2Fweb/repository/tree`)).arrayBuffer()
    const before = memoryOf(pid)
    let peak = before
    const watch = setInterval(() => {
      peak = Math.max(peak, memoryOf(pid))
    }, 20)
    const reply = await request(archive)
    let received = 0
    // The client pauses: the server must not buffer the archive.
    reply.on('data', (chunk: Buffer) => {
      received += chunk.length
    })
    await once(reply, 'data')
    reply.pause()
    await pause(1_500)
    const whilePaused = received
    reply.resume()
    await once(reply, 'end')
    clearInterval(watch)
    expect(whilePaused).toBeLessThan(50 * mebibyte)
    expect(received).toBeGreaterThan(files * fileSize)
    const added = peak - before
    console.log(
      `${Math.round(received / mebibyte)} MiB streamed, ${added.toFixed(1)} MiB more resident memory (${before.toFixed(1)} before)`,
    )
    expect(added).toBeLessThan(100)

    const abandoned = await request(archive)
    await once(abandoned, 'data')
    abandoned.pause()
    expect(countArchivers(directory)).toBe(1)
    abandoned.destroy()
    for (let round = 0; round < 40 && countArchivers(directory) > 0; round++) await pause(50)
    expect(countArchivers(directory)).toBe(0)
    expect((await stop()).code).toBe(0)
  },
  120_000,
)
