import type { IncomingMessage, ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { isPlatformError, type Platform } from '@forgelet/core'
import { handler } from '@forgelet/http'
import { openAccounts } from './accounts.ts'

const longestBody = 10_000

const bodyOf = async (request: IncomingMessage) => {
  if (Number(request.headers['content-length'] ?? Number.NaN) <= longestBody) {
    return (await json(request)) as Record<'username' | 'email' | 'password', string>
  }
  throw new RangeError('A body of that size is not read')
}

/** A program with pages and accounts of its own, and the forge behind `/api`. */
export const createApp = (platform: Platform) => {
  const accounts = openAccounts(platform)

  // Whoever is signed in here is signed in there. Null is nobody: undefined would let tokens count as well.
  const forge = handler(platform, { identify: (header) => accounts.identityBehind(header('cookie')) })

  const welcome = (response: ServerResponse, status: number, session: string) => {
    // Strict: no other site can act for those who are signed in.
    const cookie = `session=${session}; Path=/; HttpOnly; SameSite=Strict`
    response.writeHead(status, { 'Set-Cookie': cookie }).end()
  }

  const page = async (request: IncomingMessage, response: ServerResponse) => {
    const identity = accounts.identityBehind(request.headers.cookie)
    if (identity === null) return response.writeHead(401).end('Sign in first\n')
    const session = platform.as(identity)
    const { username } = await session.users.current()
    const { pending } = await session.todos.counts()
    return response.end(`Hello ${username}, ${pending} waiting for you\n`)
  }

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    switch (`${request.method} ${request.url}`) {
      case 'GET /':
        return page(request, response)
      case 'POST /register':
        return welcome(response, 201, await accounts.register(await bodyOf(request)))
      case 'POST /sign-in': {
        const session = accounts.signIn(await bodyOf(request))
        return session === undefined ? response.writeHead(401).end() : welcome(response, 200, session)
      }
      default:
        return response.writeHead(404).end()
    }
  }

  return (request: IncomingMessage, response: ServerResponse) => {
    if (request.url?.startsWith('/api/')) return forge(request, response)
    answer(request, response).catch((error: unknown) => {
      const isRefused = isPlatformError(error) || error instanceof RangeError || error instanceof SyntaxError
      if (!isRefused) console.error(error)
      response.writeHead(isRefused ? 400 : 500).end(isRefused ? `${error.message}\n` : undefined)
    })
  }
}
