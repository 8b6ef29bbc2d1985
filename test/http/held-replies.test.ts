import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import type { FakeForge } from '@forgelet/fixtures'
import { fetchHandler, handler, type Middleware } from '@forgelet/http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { world } from '../sqlite-world.ts'

let forge: FakeForge
beforeAll(async () => {
  forge = await world()
})
afterAll(() => forge.close())

/** Two of these are less than all requests may hold in memory, three are more. */
const content = new Uint8Array(150 * 1024 * 1024)

const reply: Middleware = () => async (request) => {
  if (request.target !== '/small') return { status: 200, bytes: content, headers: { 'Content-Type': 'text/plain' } }
  await request.memory?.reserve(content.length)
  return { status: 200, body: [] }
}

const createHandler = () => {
  const handle = fetchHandler(forge.platform, { middleware: [reply] })
  return (path: string, init?: RequestInit) => handle(`http://forge.test${path}`, init)
}

describe('replies of fetchHandler', () => {
  test('count until they were read or cancelled', async () => {
    const send = createHandler()
    const [first, second] = [await send('/large'), await send('/large')]
    const refused = await send('/large')
    expect([first.status, second.status, refused.status]).toEqual([200, 200, 503])
    expect(refused.headers.get('retry-after')).not.toBeNull()
    await first.body?.cancel()
    await second.arrayBuffer()
    // A stream closes some ticks after its end.
    await setImmediate()
    const others = [await send('/large'), await send('/large')]
    expect(others.map(({ status }) => status)).toEqual([200, 200])
    for (const { body } of others) await body?.cancel()
  })

  test('count until the request is aborted', async () => {
    const send = createHandler()
    const aborted = new AbortController()
    const responses = [await send('/large', { signal: aborted.signal }), await send('/large')]
    aborted.abort()
    await expect(responses[0]?.text()).rejects.toThrow('aborted')
    await setImmediate()
    expect((await send('/large')).status).toBe(200)
  })

  test('do not count without a body, or when they are small', async () => {
    const send = createHandler()
    for (let count = 0; count < 4; count++) {
      expect((await send('/large', { method: 'HEAD' })).status).toBe(200)
      expect(await (await send('/small')).json()).toEqual([])
    }
  })
})

test('replies over a socket count until they were sent', async () => {
  const server = createServer(handler(forge.platform, { middleware: [reply] })).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const send = () =>
    new Promise<{ status: number | undefined; close(): void }>((resolve, reject) => {
      const request = get({ port, host: '127.0.0.1', path: '/large', agent: false }, (response) =>
        resolve({
          status: response.statusCode,
          close() {
            response.on('error', () => undefined)
            request.destroy()
          },
        }),
      ).on('error', reject)
    })
  const [first, second] = [await send(), await send()]
  // All come from one network, which may hold half as much as all.
  expect([first.status, second.status]).toEqual([200, 503])
  first.close()
  await expect
    .poll(async () => {
      const { status, close } = await send()
      close()
      return status
    })
    .toBe(200)
  server.closeAllConnections()
  server.close()
})
