import { execFile } from 'node:child_process'
import { createServer, request as httpRequest } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import type { FakeForge } from '@forgelet/fixtures'
import { handler, serve } from '@forgelet/http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { world } from '../sqlite-world.ts'

const megabyte = 1024 * 1024
/** A character outside the basic multilingual plane: 12 bytes in escaped JSON and in a form. */
const character = '😀'
const notes = '/api/v4/projects/acme%2Fweb/issues/1/notes'

let forge: FakeForge
let url: string
beforeAll(async () => {
  forge = await world({ port: 0 })
  url = `${forge.url}${notes}`
})
afterAll(() => forge.close())

const escapeAll = (text: string) => text.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`)

const post = (body: BodyInit, headers: Record<string, string>, query = '') =>
  fetch(`${url}${query}`, { method: 'POST', body, headers })

const json = { 'content-type': 'application/json' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const token = { 'private-token': 'alice-token' }

describe('a note of 1,000,000 characters outside the BMP is accepted', () => {
  const text = character.repeat(1_000_000)
  const escaped = escapeAll(character).repeat(1_000_000)
  const encoded = encodeURIComponent(character).repeat(1_000_000)

  test.each<[string, string, Record<string, string>, string]>([
    ['as escaped JSON', `{"body":"${escaped}"}`, { ...json, ...token }, ''],
    ['as a form', `body=${encoded}`, { ...form, ...token }, ''],
    ['with the token in the query', `{"body":"${escaped}"}`, json, '?private_token=alice-token'],
    ['with the token in the form', `private_token=alice-token&body=${encoded}`, form, ''],
    ['with the token in the JSON body', `{"private_token":"alice-token","body":"${escaped}"}`, json, ''],
  ])('%s', async (_, body, headers, query) => {
    const response = await post(body, headers, query)
    expect(response.status).toBe(200)
    expect(((await response.json()) as { body: string }).body === text).toBe(true)
  })
})

describe('the credential is checked before a large body is read', () => {
  test.each<[string, Record<string, string>, string]>([
    ['an unknown token', { 'private-token': 'nope' }, ''],
    ['an unknown token in the query', {}, '?private_token=nope'],
  ])('%s is 401 without the body', async (_, headers, query) => {
    const outgoing = httpRequest(`${url}${query}`, { method: 'POST', headers: { ...headers, 'content-length': 9e6 } })
    const status = new Promise<number | undefined>((resolve, reject) => {
      outgoing.on('response', (response) => resolve(response.statusCode)).on('error', reject)
    })
    // Only the start of the body is ever sent.
    outgoing.write('{"body":"')
    expect(await status).toBe(401)
    outgoing.on('error', () => undefined).destroy()
  })

  test('an unknown token is 401 and not 400 for an unreadable body', async () => {
    expect((await post('{', { ...json, 'private-token': 'nope' })).status).toBe(401)
    expect((await post('{', { ...json, ...token })).status).toBe(400)
  })

  test('an anonymous body is limited to 2 MiB', async () => {
    expect((await post(`{"body":"${'x'.repeat(3 * megabyte)}"}`, json)).status).toBe(413)
    expect((await post(`private_token=nope&body=${'x'.repeat(3 * megabyte)}`, form)).status).toBe(401)
  })
})

describe('a client that sends the whole body receives the reply to', () => {
  const large = 'x'.repeat(30 * megabyte)

  test('a body above the limit, sent with fetch', async () => {
    for (let count = 0; count < 3; count++) {
      const response = await post(large, { ...json, ...token })
      expect([response.status, await response.json()]).toEqual([413, { error: 'The request body is too large' }])
    }
  })

  test('a body above the limit in chunks', async () => {
    const chunks = async function* () {
      for (let count = 0; count < 30; count++) yield new Uint8Array(megabyte)
    }
    const body = Readable.toWeb(Readable.from(chunks()))
    const response = await fetch(url, { method: 'POST', body, headers: { ...json, ...token }, duplex: 'half' } as never)
    expect(response.status).toBe(413)
  })

  test('a body that is not read, of a client that closes the connection', async () => {
    const status = new Promise<number | undefined>((resolve, reject) => {
      const headers = { connection: 'close', 'content-length': large.length }
      const outgoing = httpRequest(`${forge.url}/nothing`, { method: 'POST', headers, agent: false })
      outgoing.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject)
      outgoing.end(large)
    })
    expect(await status).toBe(404)
  })

  test('python urllib and http.client', async () => {
    const script = `
import http.client, sys, urllib.error, urllib.request
host, path, statuses = sys.argv[1], sys.argv[2], []
data = b'x' * (30 * 1024 * 1024)
for token in ('alice-token', 'nope'):
    for attempt in range(2):
        headers = {'Content-Type': 'application/json', 'PRIVATE-TOKEN': token}
        connection = http.client.HTTPConnection(host)
        connection.request('POST', path, data, headers)
        statuses.append(connection.getresponse().status)
        try:
            urllib.request.urlopen(urllib.request.Request('http://' + host + path, data, headers))
        except urllib.error.HTTPError as error:
            statuses.append(error.code)
print(statuses)`
    const run = promisify(execFile)
    const { stdout } = await run('python3', ['-c', script, new URL(forge.url).host, notes])
    expect(JSON.parse(stdout)).toEqual([...Array(4).fill(413), ...Array(4).fill(401)])
  })
})

test('a client that disconnects is logged as a request, not as an error', async () => {
  const [lines, errors]: [Record<string, unknown>[], unknown[]] = [[], []]
  const logger = {
    info: (entry: object) => void lines.push({ ...entry }),
    error: (entry: object) => void errors.push(entry),
  }
  const server = await serve(forge.platform, { port: 0, jobInterval: 0, idleGrace: 0, logger })
  const { hostname, port } = new URL(server.url)
  for (const headers of [`PRIVATE-TOKEN: alice-token\r\nContent-Length: 40`, 'Transfer-Encoding: chunked']) {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => undefined)
    await new Promise<void>((resolve) => socket.on('connect', () => resolve()))
    const head = `POST ${notes} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${headers}\r\n\r\n`
    socket.write(`${head}${headers.startsWith('T') ? '6\r\n' : ''}{"body`, () => setImmediate(() => socket.destroy()))
  }
  await expect.poll(() => lines.length, { timeout: 10_000 }).toBe(2)
  expect(lines.map(({ status, aborted }) => [status, aborted])).toEqual([
    [499, true],
    [499, true],
  ])
  expect(errors).toEqual([])
  await server.close()
})

test('fetch requests of an aborted signal are not logged as errors', async () => {
  const errors: unknown[] = []
  const controller = new AbortController()
  const other = await world({ http: { logger: { info: () => undefined, error: (entry) => void errors.push(entry) } } })
  const chunks = async function* () {
    yield new TextEncoder().encode('{"body')
    controller.abort()
    throw new Error('The request was aborted')
  }
  const body = Readable.toWeb(Readable.from(chunks()))
  const init = { method: 'POST', body, headers: { ...json, ...token }, duplex: 'half', signal: controller.signal }
  await other.fetch(`${other.url}${notes}`, init as never).catch(() => undefined)
  expect(errors).toEqual([])
  await other.close()
})

test('the handler replies at once in a framework without the state of the body', async () => {
  const listener = handler(forge.platform)
  const server = createServer((request, response) => {
    Object.defineProperty(request, 'complete', { value: undefined })
    listener(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const { port } = server.address() as AddressInfo
  expect((await fetch(`http://127.0.0.1:${port}/nothing`, { method: 'POST', body: 'x' })).status).toBe(404)
  await new Promise((resolve) => server.close(resolve))
})
