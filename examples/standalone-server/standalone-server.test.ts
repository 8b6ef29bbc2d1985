import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildCommand } from '../../test/support/built-programs.ts'

const here = import.meta.dirname
const manifest = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
  dependencies: Record<string, string>
}

const folder = mkdtempSync(join(tmpdir(), 'forgelet-standalone-'))
beforeAll(async () => {
  // Runs a build of the workspace, under the name of an installed command.
  const command = `#!/bin/sh\nexec '${process.execPath}' '${await buildCommand()}' "$@"\n`
  writeFileSync(join(folder, 'forgelet'), command, { mode: 0o755 })
  symlinkSync(process.execPath, join(folder, 'node'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Variables = Readonly<Record<string, string>>

const start = (line: string, environment: Variables = {}) => {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const env = { PATH: `${folder}:${PATH}`, HOME: folder, NODE_COMPILE_CACHE, ...environment }
  const child = spawn('sh', ['-c', `exec ${line}`], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const output = { text: '' }
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output.text += String(data)))
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, text: output.text }))
  return { child, output, ended }
}

const freePort = async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

const ready = (port: number) =>
  expect
    .poll(
      () =>
        fetch(`http://127.0.0.1:${port}/-/readiness`).then(
          (response) => response.status,
          () => 0,
        ),
      {
        timeout: 20_000,
      },
    )
    .toBe(200)

describe('the package', () => {
  it('starts, is backed up while it runs, passes the checks and stops', async () => {
    const port = await freePort()
    const server = start(manifest.scripts.start as string, { PORT: String(port) })
    await ready(port)
    const backup = await start(manifest.scripts.backup as string).ended
    expect([backup.code, backup.text]).toEqual([0, expect.stringContaining('and verified the copy')])
    expect(readdirSync(folder).filter((name) => name.startsWith('backup-'))).toHaveLength(1)
    expect((await start(manifest.scripts.check as string).ended).code).toBe(0)
    server.child.kill('SIGTERM')
    expect((await server.ended).code).toBe(0)
  }, 60_000)

  it('uses the command of this workspace', () => {
    expect(manifest.dependencies).toEqual({ '@forgelet/http': 'workspace:*' })
  })
})

describe('the unit', () => {
  const lines = readFileSync(join(here, 'forgelet.service'), 'utf8').split('\n')
  const values = (name: string) =>
    lines.filter((line) => line.startsWith(`${name}=`)).map((line) => line.slice(name.length + 1))

  it('starts a server with its environment and command, which stops before TimeoutStopSec', async () => {
    const port = await freePort()
    const environment = Object.fromEntries(values('Environment').map((pair) => pair.split(/=(.*)/s).slice(0, 2)))
    const command = (values('ExecStart')[0] as string).replace(/^\S+\//, '')
    expect(command).toBe('forgelet serve')
    const overrides = { FORGELET_DATA: join(folder, 'unit.db'), FORGELET_PORT: String(port) }
    expect(environment).toMatchObject({ FORGELET_DATA: expect.stringMatching(/^\/var\/lib\/forgelet\//) })
    const server = start(command, { ...environment, ...overrides })
    await ready(port)
    const signalledAt = performance.now()
    server.child.kill((values('KillSignal')[0] ?? '') as NodeJS.Signals)
    expect((await server.ended).code).toBe(0)
    expect(performance.now() - signalledAt).toBeLessThan(Number(values('TimeoutStopSec')[0]) * 1_000)
  }, 60_000)
})

describe('the container file', () => {
  const text = readFileSync(join(here, 'Containerfile'), 'utf8')
  const parseList = (name: string) => {
    const [, list] = new RegExp(`${name} (\\[.*\\])$`, 'm').exec(text) ?? []
    return JSON.parse(list as string) as string[]
  }

  it('pins the version of this workspace and does not run as root', () => {
    const { version } = JSON.parse(readFileSync(join(here, '../../packages/http/package.json'), 'utf8')) as {
      version: string
    }
    expect(text).toContain(`\nARG VERSION=${version}\n`)
    expect(text.indexOf('USER node')).toBeLessThan(text.indexOf('\nCMD '))
  })

  it('starts a server with its variables, and its health check reports whether the server runs', async () => {
    const port = await freePort()
    const variables = (/^ENV (.*)$/m.exec(text)?.[1] ?? '')
      .split(' ')
      .map((pair) => pair.split('=') as [string, string])
    const environment = Object.fromEntries(variables)
    expect(environment).toMatchObject({ FORGELET_HOST: '0.0.0.0', FORGELET_PORT: '8080' })
    const [program = '', ...args] = parseList('^CMD')
    const overrides = { FORGELET_DATA: join(folder, 'container.db'), FORGELET_PORT: String(port) }
    const server = start([program.replace(/^.*\//, ''), ...args].join(' '), { ...environment, ...overrides })
    const [node, ...health] = parseList('  CMD')
    const check = async () => {
      const child = spawn(
        node as string,
        health.map((part) => part.replace('8080', String(port))),
        {
          env: { PATH: folder },
        },
      )
      const [code] = await once(child, 'close')
      return code as number
    }
    await ready(port)
    expect(await check()).toBe(0)
    server.child.kill('SIGTERM')
    expect((await server.ended).code).toBe(0)
    expect(await check()).toBe(1)
  }, 60_000)
})
