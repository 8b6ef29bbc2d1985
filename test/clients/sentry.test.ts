import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { call, serving } from '../cli/command-line.ts'

const application = join(import.meta.dirname, 'sentry-application.mjs')
const path = '/projects/acme%2Fweb/error_tracking'

it('errors of an application with @sentry/node are listed by a server', async () => {
  const { url, stop } = await serving(['--data', 'errors.db', '--seed', 'demo'])
  const send = (method: string, to: string, json: object) =>
    fetch(`${url}/api/v4${path}/${to}`, {
      method,
      headers: { 'PRIVATE-TOKEN': 'alice-token', 'Content-Type': 'application/json' },
      body: JSON.stringify(json),
    })
  expect((await send('PUT', 'settings', { active: true, integrated: true })).status).toBe(200)
  const { sentry_dsn: dsn } = (await (await send('POST', 'client_keys', {})).json()) as { sentry_dsn: string }
  await promisify(execFile)(process.execPath, [application, dsn])
  const { body } = await call(url, `${path}/errors`, 'alice-token')
  const summary = (body as Record<string, unknown>[])
    .map(({ name, message, events_count: count }) => [name, message, count])
    .toSorted()
  expect(summary).toEqual([
    ['Message', 'Started', 1],
    ['TypeError', 'x is undefined', 2],
  ])
  expect(body).toContainEqual(
    expect.objectContaining({
      last_event: expect.objectContaining({
        platform: 'node',
        environment: 'production',
        release: '1.2.0',
        stack: expect.arrayContaining([expect.objectContaining({ function: 'fail' })]),
      }),
    }),
  )
  await stop()
})
