import { once } from 'node:events'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { call, folder, forgelet, serving } from './command-line.ts'

const labels = '/projects/acme%2Fweb/labels'

/** A creation whose request body is incomplete until `finish`. */
const startCreation = async (url: string, name: string) => {
  const body = JSON.stringify({ name, color: 'teal' })
  const outgoing = request(`${url}/api/v4${labels}`, {
    method: 'POST',
    headers: { 'PRIVATE-TOKEN': 'alice-token', 'Content-Type': 'application/json', 'Content-Length': body.length },
  })
  const answered = once(outgoing, 'response').then(([response]) => {
    response.resume()
    return { status: response.statusCode as number, connection: response.headers.connection as string }
  })
  outgoing.write(body.slice(0, 5))
  // Two: this one and the request for the metrics.
  const inFlight = async () =>
    /^forgelet_http_requests_in_flight (\d+)$/m.exec(await (await fetch(`${url}/-/metrics`)).text())?.[1]
  await expect.poll(inFlight).toBe('2')
  return {
    answered,
    outgoing,
    finish() {
      outgoing.end(body.slice(5))
      return answered
    },
  }
}

describe('serve', () => {
  it('listens on a free port, logs one JSON line per request, and exits with 0', async () => {
    const { url, output, stop } = await serving(['--data', 'first.db', '--seed', 'demo'])
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(output.stdout).toContain(`data in ${join(folder, 'first.db')}, seeded with the demo data`)
    expect(output.stdout).not.toContain('There are no users')
    expect((await call(url, `${labels}?private_token=alice-token`, 'alice-token')).status).toBe(200)
    expect((await call(url, labels, 'wrong')).status).toBe(401)
    const { code, stdout, stderr } = await stop()
    expect(code).toBe(0)
    expect(stdout).toBe(output.stdout)
    const entries = stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(entries.map(({ level, method, path, status, signal }) => [level, method ?? signal, path, status])).toEqual([
      ['info', 'GET', `/api/v4${labels}`, 200],
      ['info', 'GET', `/api/v4${labels}`, 401],
      ['info', 'SIGTERM', undefined, undefined],
    ])
    expect(stderr).not.toContain('alice-token')
  })

  it('creates files that only their owner can read, and deletes the write-ahead log', async () => {
    const { output, stop } = await serving(['--data', 'private.db'])
    expect(output.stdout).toContain('forgelet user create root --admin --data private.db\n')
    const files = () => readdirSync(folder).filter((name) => name.startsWith('private.db'))
    expect(files()).toContain('private.db-wal')
    for (const name of files()) expect((statSync(join(folder, name)).mode & 0o777).toString(8)).toBe('600')
    await stop()
    expect(files()).toEqual(['private.db'])
  })

  it('reads options from the environment', async () => {
    const { url, output, stop } = await serving([], {
      env: {
        FORGELET_DATA: 'environment.db',
        FORGELET_SEED: 'demo',
        FORGELET_BASE_URL: 'https://forge.example/',
        FORGELET_CREATED_STATUS: '201',
        FORGELET_LOG_LEVEL: 'error',
        FORGELET_HOST: '127.0.0.2',
        HOST: '127.0.0.3',
      },
    })
    expect(url).toMatch(/^http:\/\/127\.0\.0\.2:/)
    expect(output.stdout).toContain('links point to https://forge.example/')
    expect((await call(url, labels, 'alice-token', { name: 'fresh', color: 'red' })).status).toBe(201)
    const { headers } = await call(url, `${labels}?per_page=1`, 'alice-token')
    expect(headers.get('link')).toContain(`<https://forge.example/api/v4${labels}?`)
    expect((await stop()).stderr).toBe('')
  })

  it('suggests another port if the port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as { port: number }
    const { code, stdout, stderr } = await forgelet(['serve', '--port', String(port), '--data', ':memory:'])
    other.close()
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(
      new RegExp(
        `^forgelet: Port ${port} on 127\\.0\\.0\\.1 is in use: choose another one, such as --port \\d+, or --port 0`,
      ),
    )
    expect(stderr.trimEnd()).not.toContain('\n')
  })

  it('warns if other machines can use the public tokens of the demo data', async () => {
    const open = await serving(['--host', '0.0.0.0', '--data', ':memory:', '--seed', 'demo'])
    expect((await open.stop()).stderr).toMatch(/^warning: the tokens of the demo data are public/)
  })
})

describe('stopping', () => {
  it('completes requests in progress, rejects new connections, and exits', async () => {
    const { url, child, ended, stop } = await serving(['--data', 'drain.db', '--seed', 'demo'])
    const creation = await startCreation(url, 'late')
    const start = performance.now()
    const stopped = stop()
    await pause(200)
    const late = connect(Number(new URL(url).port), '127.0.0.1')
    const [error] = await once(late, 'error')
    expect(error).toMatchObject({ code: 'ECONNREFUSED' })
    expect(child.exitCode).toBeNull()
    expect(await creation.finish()).toEqual({ status: 200, connection: 'close' })
    expect(await stopped).toEqual(await ended)
    expect((await ended).code).toBe(0)
    // Less than the grace period of 10 seconds: idle keep-alive connections do not delay the exit.
    expect(performance.now() - start).toBeLessThan(10_000)

    const again = await serving(['--data', 'drain.db', '--seed', 'demo'])
    const { body } = await call(again.url, labels, 'alice-token')
    expect((body as { name: string }[]).map(({ name }) => name)).toContain('late')
    await again.stop()
  })

  it('happens immediately on a second signal', async () => {
    const { url, child, output, ended } = await serving(['--data', ':memory:', '--seed', 'demo'])
    const creation = await startCreation(url, 'never')
    const cut = creation.answered.catch((error: Error) => error)
    creation.outgoing.on('error', () => undefined)
    child.kill('SIGINT')
    await expect.poll(() => output.stderr).toContain('SIGINT')
    // A second signal within 100 ms of the first one is ignored.
    await pause(200)
    expect(child.exitCode).toBeNull()
    child.kill('SIGINT')
    expect((await ended).code).toBe(130)
    expect(await cut).toMatchObject({ code: 'ECONNRESET' })
  })
})

describe('an uncaught error', () => {
  const preload = (name: string, statement: string) => {
    const path = join(folder, name)
    writeFileSync(path, `process.on('SIGUSR2', () => { ${statement} })`)
    return ['--import', path]
  }

  it('in a promise is logged with its stack, and the server continues', async () => {
    const node = preload('rejects.mjs', "void Promise.reject(new Error('unseen'))")
    const { url, child, output, stop } = await serving(['--data', ':memory:', '--seed', 'demo'], { node })
    child.kill('SIGUSR2')
    await expect
      .poll(() => output.stderr)
      .toMatch(/"level":"error".*Error: unseen\\n +at .*"msg":"unhandled rejection"/)
    expect((await call(url, labels, 'alice-token')).status).toBe(200)
    expect((await stop()).code).toBe(0)
  })

  it('outside of a promise is logged, and the process exits with 1', async () => {
    const node = preload('throws.mjs', "throw new Error('uncaught')")
    const { child, ended } = await serving(['--data', ':memory:'], { node })
    child.kill('SIGUSR2')
    const { code, stderr } = await ended
    expect(code).toBe(1)
    expect(JSON.parse(stderr)).toMatchObject({ level: 'error', error: expect.stringContaining('Error: uncaught') })
  })
})
