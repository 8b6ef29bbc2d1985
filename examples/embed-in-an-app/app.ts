import type { IncomingMessage, ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { isPlatformError, type Platform } from '@forgelet/core'
import { handler } from '@forgelet/http'
import { createAccounts } from './accounts.ts'

/** In bytes. */
const maxBodySize = 10_000

const readBody = async (request: IncomingMessage) => {
  if (Number(request.headers['content-length'] ?? Number.NaN) <= maxBodySize) {
    return (await json(request)) as Record<'username' | 'email' | 'password', string>
  }
  throw new RangeError(`The body must have a Content-Length of at most ${maxBodySize} bytes`)
}

/** An application with its own pages and accounts, and the forge at `/api`. */
export const createApp = (platform: Platform) => {
  const accounts = createAccounts(platform)

  // The session of the application authenticates API requests. Null is anonymous; undefined would also accept tokens.
  const forge = handler(platform, { identify: (header) => accounts.identityOfCookie(header('cookie')) })

  const sendSession = (response: ServerResponse, status: number, session: string) => {
    // `SameSite=Strict` prevents cross-site request forgery.
    const cookie = `session=${session}; Path=/; HttpOnly; SameSite=Strict`
    response.writeHead(status, { 'Set-Cookie': cookie }).end()
  }

  const sendHomePage = async (request: IncomingMessage, response: ServerResponse) => {
    const identity = accounts.identityOfCookie(request.headers.cookie)
    if (identity === null) return response.writeHead(401).end('Authentication required\n')
    const session = platform.as(identity)
    const { username } = await session.users.get()
    const { pending } = await session.todos.count()
    return response.end(`Hello ${username}, pending to-do items: ${pending}\n`)
  }

  const handleRequest = async (request: IncomingMessage, response: ServerResponse) => {
    switch (`${request.method} ${request.url}`) {
      case 'GET /':
        return sendHomePage(request, response)
      case 'POST /register':
        return sendSession(response, 201, await accounts.register(await readBody(request)))
      case 'POST /sign-in': {
        const session = accounts.signIn(await readBody(request))
        return session === undefined ? response.writeHead(401).end() : sendSession(response, 200, session)
      }
      default:
        return response.writeHead(404).end()
    }
  }

  return (request: IncomingMessage, response: ServerResponse) => {
    if (request.url?.startsWith('/api/')) return forge(request, response)
    handleRequest(request, response).catch((error: unknown) => {
      const isClientError = isPlatformError(error) || error instanceof RangeError || error instanceof SyntaxError
      if (!isClientError) console.error(error)
      response.writeHead(isClientError ? 400 : 500).end(isClientError ? `${error.message}\n` : undefined)
    })
  }
}
