import { demo } from '@forgelet/core/seed'
import { fakeForge } from '@forgelet/fixtures'
import { createApp } from './app.ts'

const port = Number(process.env.PORT ?? 3000)
const url = `http://127.0.0.1:${port}`
const application = { applicationId: 'board', secret: 'board-secret' }

/** A forge whose sign-in page offers the users of the demo data. */
const forge = await fakeForge({
  port: 0,
  http: { oauth: true },
  seed: {
    ...demo,
    applications: [{ name: 'Board', redirectUri: `${url}/callback`, scopes: 'openid profile', ...application }],
  },
})
const app = await createApp(url, {
  url: forge.url,
  clientId: application.applicationId,
  clientSecret: application.secret,
})
app.listen(port, '127.0.0.1', () => console.log(url))

process.once('SIGTERM', async () => {
  app.close()
  app.closeAllConnections()
  await forge.close()
})
