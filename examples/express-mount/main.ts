import { createPlatform, sqlite } from '@forgelet/core'
import { demo, seed } from '@forgelet/core/seed'
import { createApp } from './app.ts'

const port = Number(process.env.PORT ?? 3000)
const url = `http://127.0.0.1:${port}`
const platform = createPlatform(sqlite(':memory:'))
await seed(platform, demo)

/** Accepts the users of the demo data, with their username as the password. */
const checkPassword = async (username: string, password: string) => {
  const { items } = await platform.as({ system: 'sign-in' }).users.list({ username })
  return items.length > 0 && password === username
}

const server = createApp(platform, url, checkPassword).listen(port, '127.0.0.1', () => console.log(`${url}/forge`))
const jobs = setInterval(() => void platform.jobs.drain().catch(console.error), 1_000)

process.once('SIGTERM', async () => {
  clearInterval(jobs)
  server.close()
  server.closeAllConnections()
  await platform.close()
})
