import { describe, expect, it } from 'vitest'
import { call, forgelet, serving } from './command-line.ts'

const labels = '/projects/acme%2Fweb/labels'

const control = async (url: string, line: string, body?: unknown, headers: Record<string, string> = {}) => {
  const [method = 'GET', path] = line.split(' ')
  const response = await fetch(`${url}/_forgelet${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

describe('serve --control', () => {
  it('serves a world in memory that a test suite controls', async () => {
    const { url, output, stop } = await serving(['--control', '--demo'])
    expect(output.stdout).toContain(`control plane at ${url}/_forgelet, for this machine only`)
    expect(output.stdout).toContain('data in memory, seeded with the demo data')
    expect((await control(url, 'GET /users')).body).toContainEqual({ username: 'alice', token: 'alice-token' })
    await call(url, labels, 'alice-token', { name: 'left over', color: 'red' })
    expect((await control(url, 'GET /journal?on=labels.create')).body).toMatchObject([{ status: 200 }])
    expect((await control(url, 'POST /snapshots', { name: 'one' })).status).toBe(200)
    await control(url, 'POST /reset')
    expect((await call(url, `${labels}/left%20over`, 'alice-token')).status).toBe(404)
    await control(url, 'POST /snapshots/one/restore')
    expect((await call(url, `${labels}/left%20over`, 'alice-token')).status).toBe(200)
    await control(url, 'POST /faults', { on: 'labels.list', status: 503, times: 1 })
    expect((await call(url, labels, 'alice-token')).status).toBe(503)
    await control(url, 'PUT /clock', { at: '2026-03-10T12:00:00Z', frozen: true })
    expect((await control(url, 'POST /clock/advance', { days: 1 })).body).toMatchObject({
      now: '2026-03-11T12:00:00.000Z',
    })
    // An open event stream does not delay the shutdown.
    const stream = await fetch(`${url}/_forgelet/events`)
    const start = performance.now()
    expect((await stop()).code).toBe(0)
    // Less than the grace period of 10 seconds for requests in progress.
    expect(performance.now() - start).toBeLessThan(10_000)
    await stream.text().catch(() => undefined)
  })

  it('never resets or replaces named data', async () => {
    const { url, stop } = await serving(['--control', '--seed', 'demo', '--data', 'named.db'])
    for (const line of ['POST /reset', 'POST /snapshots']) {
      expect(await control(url, line, {})).toMatchObject({
        status: 409,
        body: { message: expect.stringContaining('in memory') },
      })
    }
    expect((await control(url, 'POST /seed', { users: [{ username: 'kim' }] })).status).toBe(200)
    await stop()
    const again = await serving(['--data', 'named.db'])
    expect((await call(again.url, '/users?username=kim', 'alice-token')).status).toBe(200)
    expect((await control(again.url, 'GET /state')).status).toBe(404)
    await again.stop()
  })

  it('requires its token', async () => {
    const { url, output, stop } = await serving(['--control', '--control-token', 'open-sesame'])
    expect(output.stdout).not.toContain('open-sesame')
    expect((await control(url, 'GET /state')).status).toBe(401)
    expect((await control(url, 'GET /state', undefined, { Authorization: 'Bearer open-sesame' })).status).toBe(200)
    await stop()
  })

  it('rejects contradictory options', async () => {
    expect((await forgelet(['serve', '--control-token', 'x'])).stderr).toContain('--control-token requires --control')
    expect((await forgelet(['serve', '--control', '--workers', '2'])).stderr).toContain(
      'Use either --control or --workers',
    )
  })
})
