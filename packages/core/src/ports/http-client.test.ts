import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { nodeHttpClient, type OutboundRequest } from './http-client.ts'

let server: Server | undefined
afterEach(async () => {
  server?.closeAllConnections()
  await server?.[Symbol.asyncDispose]()
  server = undefined
})

/** A server on the loopback address, and a request to it under a name that does not exist. */
const serve = async (listener: RequestListener): Promise<OutboundRequest> => {
  server = createServer(listener)
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    method: 'POST',
    url: `http://bot.invalid:${port}/events?x=1`,
    headers: { 'content-type': 'application/json', 'x-gitlab-token': 'hush' },
    body: '{"text":"ä"}',
    ipAddress: '127.0.0.1',
    verifiesCertificate: true,
    timeout: 5_000,
    maximumResponseBytes: 100,
    signal: new AbortController().signal,
  }
}

test('sends the body to the given address, with the name of the URL', async () => {
  const request = await serve(async (received, response) => {
    const { url, headers } = received
    const { host, 'x-gitlab-token': token, 'content-length': length } = headers
    response.setHeader('x-bot', ['a', 'b'])
    response.end(JSON.stringify({ url, host, token, length, body: await text(received) }))
  })
  const { status, headers, body } = await nodeHttpClient.send({ ...request, maximumResponseBytes: 1_000 })
  expect([status, headers['x-bot']]).toEqual([200, 'a, b'])
  expect(JSON.parse(body)).toEqual({
    url: '/events?x=1',
    host: new URL(request.url).host,
    token: 'hush',
    length: '13',
    body: '{"text":"ä"}',
  })
})

test('does not follow redirects', async () => {
  let count = 0
  const request = await serve((_, response) => {
    count++
    response.writeHead(307, { location: '/elsewhere' }).end()
  })
  expect(await nodeHttpClient.send(request)).toMatchObject({ status: 307 })
  expect(count).toBe(1)
})

test('reads a long response up to the limit', async () => {
  const request = await serve((_, response) => {
    const timer = setInterval(() => response.write('x'.repeat(1_000)), 1)
    response.on('close', () => clearInterval(timer))
  })
  expect((await nodeHttpClient.send(request)).body).toBe('x'.repeat(100))
})

test('a response that does not end in time is an error', async () => {
  const request = await serve((_, response) => {
    response.write('x')
  })
  await expect(nodeHttpClient.send({ ...request, timeout: 50 })).rejects.toThrow('No response within 0.05 seconds')
})

test('an abort and a closed port are errors', async () => {
  const request = await serve(() => undefined)
  const controller = new AbortController()
  const sent = nodeHttpClient.send({ ...request, signal: controller.signal })
  controller.abort()
  await expect(sent).rejects.toThrow()
  server?.closeAllConnections()
  await server?.[Symbol.asyncDispose]()
  await expect(nodeHttpClient.send(request)).rejects.toThrow('ECONNREFUSED')
  server = undefined
})

/** Answers with the port of the client, which identifies the connection. */
const answerWithConnection: RequestListener = (received, response) => {
  received.resume().on('end', () => response.end(String(received.socket.remotePort)))
}

test('a connection is used again, but not for another address of the same name', async () => {
  const request = await serve(answerWithConnection)
  const connectionOf = async (ipAddress: string) => (await nodeHttpClient.send({ ...request, ipAddress })).body
  const first = await connectionOf('127.0.0.1')
  expect(await connectionOf('127.0.0.1')).toBe(first)
  await expect(connectionOf('127.0.0.2')).rejects.toThrow('ECONNREFUSED 127.0.0.2')
  expect(await connectionOf('127.0.0.1')).toBe(first)
})

test('an idle connection is closed after a second', async () => {
  const request = await serve(answerWithConnection)
  const closed = new Promise((resolve) => server?.on('connection', (socket) => socket.on('close', resolve)))
  await nodeHttpClient.send(request)
  await closed
})

test('a request on a connection that the server closes is sent again', async () => {
  const connections: unknown[] = []
  const request = await serve((received, response) => {
    const isReused = connections.includes(received.socket)
    connections.push(received.socket)
    if (isReused) received.socket.resetAndDestroy()
    else answerWithConnection(received, response)
  })
  const { body: first } = await nodeHttpClient.send(request)
  const { body: second } = await nodeHttpClient.send(request)
  expect(second).not.toBe(first)
  expect(connections).toHaveLength(3)
})
