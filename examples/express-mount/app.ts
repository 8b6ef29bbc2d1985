import { randomBytes } from 'node:crypto'
import type { Platform } from '@forgelet/core'
import { handler } from '@forgelet/http'
import express, { type Request } from 'express'
import session from 'express-session'

declare module 'express-session' {
  interface SessionData {
    /** Username of the signed-in user. */
    username: string
  }
}

/**
 * An Express server with its own sessions, and the forge at `/forge`.
 *
 * @param url URL of the server, without a trailing slash
 * @param checkPassword the existing password check of the server
 */
export const createApp = (
  platform: Platform,
  url: string,
  checkPassword: (username: string, password: string) => Promise<boolean>,
) => {
  const app = express()
  const secret = randomBytes(32).toString('base64')
  app.use(session({ secret, resave: false, saveUninitialized: false, cookie: { sameSite: 'strict' } }))

  // Before body parsers, because the forge reads request bodies itself.
  app.use(
    '/forge',
    handler(platform, {
      baseUrl: `${url}/forge`,
      // Undefined without a session, so that requests with a token are authenticated by the token.
      identify: (_header, request) => {
        const { username } = (request as Request).session
        return username === undefined ? undefined : { user: username }
      },
    }),
  )

  app.post('/sign-in', express.json(), async (request, response) => {
    const { username, password } = request.body as Record<'username' | 'password', string>
    if (!(await checkPassword(username, password))) return void response.sendStatus(401)
    request.session.username = username
    response.sendStatus(204)
  })

  app.get('/', async (request, response) => {
    const { username } = request.session
    const forge = username === undefined ? platform : platform.as({ user: username })
    const { items } = await forge.projects.list()
    response.json(items.map(({ fullPath }) => fullPath))
  })
  return app
}
