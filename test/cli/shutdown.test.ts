import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { createPlatform, sqlite } from '@forgelet/core'
import { demo, seed } from '@forgelet/core/seed'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { buildCommand } from '../support/built-programs.ts'
import { findMarkedProcesses } from '../support/process-list.ts'
import { folder, serving } from './command-line.ts'

/** A server that accepts connections and never responds. */
const startSilentServer = async () => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, '0.0.0.0')
  await once(server, 'listening')
  const close = () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  return { port: (server.address() as AddressInfo).port, sockets, [Symbol.dispose]: close }
}

/** A data file with ten mirrors, each on another host. */
const createMirrors = async (file: string, port: number) => {
  const platform = createPlatform(sqlite(file))
  await seed(platform, demo)
  const host = platform.as({ system: 'test' })
  await host.settings.update({ allowLocalRequestsFromWebHooksAndServices: true })
  const project = 'acme/mirrored'
  await host.projects.create({ namespace: 'acme', path: 'mirrored', name: 'Mirrored' })
  const files = [{ path: 'a', content: 'a' }]
  const author = { name: 'A', email: 'a@example.com' }
  await host.commits.import({ project, commits: [{ branch: 'main', message: 'a', author, files }] })
  for (let number = 1; number <= 10; number++) {
    await host.remoteMirrors.create({ project, url: `http://127.0.0.${number}:${port}/x.git`, enabled: true })
  }
  await platform.close()
}

it.each(['1', '2'])(
  '%s processes with ten unresponsive mirrors end within ten seconds and lose no job',
  async (workers) => {
    using silent = await startSilentServer()
    const file = join(folder, `mirrors-${workers}.db`)
    await createMirrors(file, silent.port)
    const { stop } = await serving(['--data', file, '--workers', workers, '--log-level', 'error'])
    await expect.poll(() => silent.sockets.size, { timeout: 30_000 }).toBeGreaterThanOrEqual(8)
    const start = performance.now()
    const { code, stderr } = await stop()
    expect(performance.now() - start).toBeLessThan(10_000)
    expect([code, stderr]).toEqual([0, ''])
    const database = new Database(file)
    const jobs = database.prepare("select state, attempts from job where kind = 'remoteMirrors.push'").all()
    database.close()
    expect(jobs).toEqual(Array(10).fill({ state: 'pending', attempts: 0 }))
  },
  90_000,
)

it('answers requests on open connections with Connection: close before it closes idle ones', async () => {
  const { url, stop } = await serving(['--data', ':memory:', '--seed', 'demo', '--log-level', 'silent'])
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const send = () =>
    new Promise<{ status: number | undefined; connection: string | undefined }>((resolve, reject) => {
      const outgoing = request(`${url}/-/health`, { agent }, (response) => {
        response.resume()
        response.on('end', () => resolve({ status: response.statusCode, connection: response.headers.connection }))
      })
      outgoing.on('error', reject)
      outgoing.end()
    })
  expect(await send()).toEqual({ status: 200, connection: 'keep-alive' })
  const stopped = stop()
  let last = await send()
  while (last.connection !== 'close') last = await send()
  expect(last.status).toBe(200)
  await expect(send()).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  expect((await stopped).code).toBe(0)
}, 30_000)

describe('--exit-with-parent', () => {
  /** Starts a server as the child of a shell, which does not pass signals on. Resolves when it listens. */
  const startInShell = async (marker: string, input: 'pipe' | 'ignore', ...args: readonly string[]) => {
    const serve = `serve --data ${join(folder, `${marker}.db`)} --port 0 --log-level silent ${args.join(' ')}`
    const shell = spawn('sh', ['-c', `"${process.execPath}" "${await buildCommand()}" ${serve}; true`], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, MARKER: marker },
      stdio: [input, 'pipe', 'inherit'],
    })
    if (shell.stdout) await once(shell.stdout, 'data')
    return shell
  }
  const servers = (marker: string) => findMarkedProcesses(`MARKER=${marker}`, /^\S*node .*serve/)

  it.each([{ args: ['--exit-with-parent'] }, { args: ['--exit-with-parent', '--workers', '2'] }])(
    'ends with its parent, and with a pipe to the process that started it: $args',
    async ({ args }) => {
      const name = `orphan-${args.length}`
      const killed = await startInShell(`${name}-killed`, 'ignore', ...args)
      expect(servers(`${name}-killed`)).not.toEqual([])
      killed.kill('SIGKILL')
      await expect.poll(() => servers(`${name}-killed`), { timeout: 10_000 }).toEqual([])

      const piped = await startInShell(`${name}-piped`, 'pipe', ...args)
      piped.stdin?.end()
      expect(await once(piped, 'exit')).toEqual([0, null])
      expect(servers(`${name}-piped`)).toEqual([])
    },
    60_000,
  )

  it('continues without a parent or a standard input unless it is set', async () => {
    const shell = await startInShell('detached', 'pipe')
    shell.stdin?.end()
    shell.kill('SIGKILL')
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    const [pid] = servers('detached')
    expect(pid).toBeDefined()
    process.kill(Number(pid), 'SIGTERM')
    await expect.poll(() => servers('detached'), { timeout: 10_000 }).toEqual([])
  }, 30_000)
})
