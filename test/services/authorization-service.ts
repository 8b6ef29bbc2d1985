import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A request that the service received. */
interface ReceivedRequest {
  readonly method: string | undefined
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: Readonly<Record<string, unknown>>
}

type Decide = (body: ReceivedRequest['body']) => { readonly status: number; readonly reply?: string } | 'silence'

/** Answers all requests as `decide` says, and records them. */
export const listenAsService = async (server: Server, decide: Decide) => {
  const requests: ReceivedRequest[] = []
  server.on('request', async (request, response) => {
    const { method, headers } = request
    const body = JSON.parse(await text(request))
    requests.push({ method, headers, body })
    const decision = decide(body)
    if (decision === 'silence') return
    response.writeHead(decision.status, { 'content-type': 'application/json' }).end(decision.reply ?? '{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = async () => {
    server.closeAllConnections()
    server.close()
  }
  return { port, requests, [Symbol.asyncDispose]: close }
}

/** An authorization service on loopback. */
export const startService = (decide: Decide) => listenAsService(createServer(), decide)
