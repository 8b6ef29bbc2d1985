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
