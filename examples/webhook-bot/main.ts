import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { createBot } from './bot.ts'

const {
  GITLAB_URL: host = 'http://127.0.0.1:8080',
  GITLAB_TOKEN: token = 'alice-token',
  GITLAB_PROJECT: project = 'acme/web',
  PORT: port = '3000',
} = process.env
const url = `http://127.0.0.1:${port}/`
const secret = crypto.randomUUID()

const handle = createBot({ host, token, secret })
const server = createServer(async (incoming, outgoing) => {
  const headers = new Headers(incoming.headers as Record<string, string>)
  const body = incoming.method === 'POST' ? await text(incoming) : null
  const response = await handle(new Request(url, { method: incoming.method ?? 'GET', headers, body }))
  outgoing.writeHead(response.status).end(await response.text())
})
server.listen(Number(port), '127.0.0.1')

const response = await fetch(`${host}/api/v4/projects/${encodeURIComponent(project)}/hooks`, {
  method: 'POST',
  headers: { 'PRIVATE-TOKEN': token, 'Content-Type': 'application/json' },
  body: JSON.stringify({ url, token: secret, merge_requests_events: true, push_events: false }),
})
if (!response.ok) throw new Error(`The webhook could not be created: ${await response.text()}`)
console.log(`Waiting for merge requests of ${project} at ${url}`)
