import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createPlatform, sqlite } from '@forgelet/core'
import { createApp } from './app.ts'

// In memory, because the accounts of this example are in memory as well.
const platform = createPlatform(sqlite(':memory:'))
await platform.ready()
const server = createServer(createApp(platform)).listen(Number(process.env.PORT ?? 3000), '127.0.0.1')
await once(server, 'listening')
console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)

// Runs due jobs every second, as `serve` of @forgelet/http does.
const jobs = setInterval(() => void platform.jobs.drain().catch(console.error), 1_000)

process.once('SIGTERM', async () => {
  clearInterval(jobs)
  server.close()
  server.closeAllConnections()
  await platform.close()
})
