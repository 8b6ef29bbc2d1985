import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import type { FakeForge } from '@forgelet/fixtures'
import { handler, serve } from '@forgelet/http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { world } from '../sqlite-world.ts'

let forge: FakeForge
let port: number
beforeAll(async () => {
  forge = await world({ port: 0 })
  port = Number(new URL(forge.url).port)
})
afterAll(() => forge.close())

/** Sends bytes and collects the response until the server closes the connection. */
const sendRaw = (bytes: string, close = true) =>
  new Promise<string>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let response = ''
    socket.setEncoding('utf8')
    socket.on('data', (chunk: string) => {
      response += chunk
      if (!close) socket.end()
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(response))
    socket.write(bytes)
  })

const body = (response: string) => JSON.parse(response.slice(response.indexOf('\r\n\r\n') + 4))

const requestStatus = async () => (await fetch(`${forge.url}/api/v4/projects/acme%2Fweb/labels`)).status

test('responds with JSON to invalid HTTP and closes the connection', async () => {
  const response = await sendRaw('NONSENSE\r\n\r\n')
  expect(response).toMatch(/^HTTP\/1\.1 400 /)
  expect(body(response)).toEqual({ error: 'The request cannot be read' })
  expect(await requestStatus()).toBe(200)
})

test('responds 431 to headers above the size limit', async () => {
  const response = await sendRaw(`GET / HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`)
  expect(response).toMatch(/^HTTP\/1\.1 431 /)
  expect(body(response)).toEqual({ error: 'The request headers are too large' })
})

test('rejects Content-Length together with chunked encoding', async () => {
  const response = await sendRaw(
    'POST /api/v4/projects/1/labels HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  )
  expect(response).toMatch(/^HTTP\/1\.1 400 /)
})

test.each([
  ['host', 'Host: x\r\nHost: y\r\n'],
  ['host', 'Host: x\r\nHOST: x\r\n'],
  ['authorization', 'Host: x\r\nAuthorization: Bearer a\r\nauthorization: Bearer b\r\n'],
])('rejects a request with two %s headers', async (name, headers) => {
  const response = await sendRaw(`GET /api/v4/version HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`)
  expect(response).toMatch(/^HTTP\/1\.1 400 /)
  expect(body(response)).toEqual({ error: `The request has more than one ${name} header` })
})

test('rejects a body with a too large Content-Length before reading it', async () => {
  const response = await sendRaw(
    'POST /api/v4/projects/1/labels HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99999999\r\n\r\n',
    false,
  )
  expect(response).toMatch(/^HTTP\/1\.1 413 /)
  expect(response).toMatch(/connection: close/i)
})

test('serves several requests on one connection', async () => {
  const line = 'GET /api/v4/projects/acme%2Fweb/labels/bug HTTP/1.1\r\nHost: x\r\n'
  const response = await sendRaw(`${line}\r\n${line}\r\n${line}Connection: close\r\n\r\n`)
  expect(response.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(3)
})

test('survives clients that disconnect during a body', async () => {
  for (let count = 0; count < 20; count++) {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    await new Promise<void>((resolve) => socket.on('connect', () => resolve()))
    socket.write('POST /api/v4/projects/acme%2Fweb/labels HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n')
    socket.write('PRIVATE-TOKEN: alice-token\r\nContent-Length: 40\r\n\r\n{"name":"half')
    await new Promise((resolve) => setTimeout(resolve, 2))
    socket.destroy()
  }
  expect(await requestStatus()).toBe(200)
  const { items } = await forge.platform.labels.list({ project: 'acme/web' })
  expect(items.map(({ name }) => name)).not.toContain('half')
})

test('returns a valid request id of the client and replaces an invalid one', async () => {
  const requestIdFor = async (id: string) => {
    const response = await fetch(`${forge.url}/api/v4/nothing`, { headers: { 'x-request-id': id } })
    return response.headers.get('x-request-id')
  }
  expect(await requestIdFor('build-42')).toBe('build-42')
  expect(await requestIdFor('a b<c>')).toMatch(/^[0-9a-f-]{36}$/)
})

test('sends links with the address that the server listens on', async () => {
  const response = await fetch(`${forge.url}/api/v4/projects/acme%2Fweb/labels?per_page=1`)
  expect(response.headers.get('link')).toContain(`<${forge.url}/api/v4/projects/acme%2Fweb/labels?`)
})

test('completes requests in progress when closing, then refuses connections', async () => {
  await using other = await world()
  const server = await serve(other.platform, { port: 0, jobInterval: 0, idleGrace: 0 })
  const url = new URL(server.url)
  const status = new Promise<number>((resolve, reject) => {
    const request = httpRequest(
      { host: url.hostname, port: url.port, method: 'POST', path: '/api/v4/projects/acme%2Fweb/labels' },
      (response) => {
        response.resume()
        response.on('end', () => resolve(response.statusCode ?? 0))
      },
    )
    request.on('error', reject)
    request.setHeader('private-token', 'alice-token')
    request.setHeader('content-type', 'application/json')
    request.write('{"name":"last words",')
    setTimeout(() => request.end('"color":"red"}'), 300)
  })
  await new Promise((resolve) => setTimeout(resolve, 100))
  const closing = server.close()
  expect(server.close()).toBe(closing)
  expect(await status).toBe(200)
  await closing
  await expect(fetch(server.url)).rejects.toThrow()
})

test('answers at once if a body parser has already read the body', async () => {
  const errors: object[] = []
  const logger = { info: () => undefined, error: (entry: object) => errors.push(entry) }
  const listener = handler(forge.platform, { logger })
  const server = createServer((request, response) => {
    request.resume().once('end', () => listener(request, response))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v4/projects`
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'web' }),
  })
  const hint = 'The body of the request was already read: mount the handler before body parsers'
  expect(response.status).toBe(500)
  expect(response.headers.get('x-forgelet-hint')).toBe(hint)
  expect(errors).toEqual([expect.objectContaining({ error: expect.stringContaining(hint) })])
  server.close()
})

test('mounts a handler next to routes of the host', async () => {
  const listener = handler(forge.platform, {
    identify: async (header) => (header('x-user') ? { user: header('x-user') as string } : null),
  })
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/api/')) return listener(request, response)
    response.end('the host')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  expect(await (await fetch(url)).text()).toBe('the host')
  const labels = `${url}/api/v4/projects/bob%2Fnotes/labels`
  expect((await fetch(labels, { headers: { 'x-user': 'bob' } })).status).toBe(200)
  const stranger = await fetch(labels)
  expect(stranger.status).toBe(404)
  // Without a base URL, links are relative.
  const linked = await fetch(labels, { headers: { 'x-user': 'bob' } })
  expect(linked.headers.get('link')).toMatch(/^<\/api\/v4\/projects/)
  await new Promise((resolve) => server.close(resolve))
})

test('serves requests below a base path, and sends links with it', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/forge`
  const listener = handler(forge.platform, {
    baseUrl: url,
    identify: (_header, request) => ((request as { signedInAs?: string }).signedInAs ? { user: 'bob' } : undefined),
  })
  server.on('request', (request, response) => {
    if (request.url?.startsWith('/forge/private')) {
      // As a framework does that mounts it: the path is taken off `url`, and something is left on the request.
      Object.assign(request, { originalUrl: request.url.replace('/private', ''), signedInAs: 'bob', url: '/' })
    }
    listener(request, response)
  })
  const labels = '/api/v4/projects/bob%2Fnotes/labels?per_page=1'
  expect((await fetch(`${url}${labels}`)).status).toBe(404)
  const mine = await fetch(`${url}/private${labels}`)
  expect(mine.status).toBe(200)
  expect(mine.headers.get('link')).toContain(`<${url}/api/v4/projects/bob%2Fnotes/labels?`)
  // A path that merely begins alike is no part of it, and a proxy may have taken the path off already.
  expect((await fetch(url.replace(/forge$/, 'forgery/api/v4/version'))).status).toBe(404)
  const web = url.replace(/forge$/, 'api/v4/projects/acme%2Fweb/labels')
  expect((await fetch(web)).status).toBe(200)
  await new Promise((resolve) => server.close(resolve))
})
