import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import * as client from 'openid-client'

/** The forge, and the application that is registered there. */
export interface ForgeSettings {
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
}

interface Session {
  /** What the callback has to check, while the user signs in at the forge. */
  pending?: { readonly pkceCodeVerifier: string; readonly expectedState: string }
  user?: { readonly name: string; readonly idToken: string }
}

const cookieName = 'board_session'

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const readSessionId = ({ headers }: IncomingMessage) => /board_session=([\w-]+)/.exec(headers.cookie ?? '')?.[1] ?? ''

/**
 * A web application whose users sign in with Forgelet.
 *
 * @param url URL of the application, without a trailing slash; `<url>/callback` is a redirect URI of the application
 */
export const createApp = async (url: string, forge: ForgeSettings) => {
  const isInsecure = forge.url.startsWith('http:')
  const config = await client.discovery(new URL(forge.url), forge.clientId, forge.clientSecret, undefined, {
    execute: isInsecure ? [client.allowInsecureRequests] : [],
  })
  const sessions = new Map<string, Session>()
  const redirectUri = `${url}/callback`

  const redirect = (response: ServerResponse, location: string, sessionId?: string) => {
    const cookie = `${cookieName}=${sessionId}; Path=/; HttpOnly; SameSite=Lax`
    response.writeHead(303, { Location: location, ...(sessionId !== undefined && { 'Set-Cookie': cookie }) }).end()
  }

  const startSignIn = async (response: ServerResponse) => {
    const pkceCodeVerifier = client.randomPKCECodeVerifier()
    const expectedState = client.randomState()
    const id = randomUUID()
    sessions.set(id, { pending: { pkceCodeVerifier, expectedState } })
    const authorizationUrl = client.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: 'openid profile',
      state: expectedState,
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    })
    redirect(response, authorizationUrl.href, id)
  }

  const finishSignIn = async (response: ServerResponse, sessionId: string, target: string) => {
    const pending = sessions.get(sessionId)?.pending
    sessions.delete(sessionId)
    if (!pending) return void response.writeHead(400).end('Start again')
    const tokens = await client.authorizationCodeGrant(config, new URL(target, url), pending)
    // A new id: the old one may be known to another person.
    const id = randomUUID()
    const name = String(tokens.claims()?.name)
    sessions.set(id, { user: { name, idToken: tokens.id_token as string } })
    redirect(response, '/', id)
  }

  const signOut = (response: ServerResponse, sessionId: string) => {
    const user = sessions.get(sessionId)?.user
    sessions.delete(sessionId)
    if (!user) return redirect(response, '/')
    redirect(response, client.buildEndSessionUrl(config, { id_token_hint: user.idToken }).href)
  }

  const showHome = (response: ServerResponse, sessionId: string) => {
    const user = sessions.get(sessionId)?.user
    const content = user
      ? `Hello ${escapeHtml(user.name)} <a href="/sign-out">Sign out</a>`
      : '<a href="/sign-in">Sign in with Forgelet</a>'
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(`<!doctype html>\n${content}\n`)
  }

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const target = request.url ?? '/'
    const sessionId = readSessionId(request)
    const { pathname } = new URL(target, url)
    if (pathname === '/') return showHome(response, sessionId)
    if (pathname === '/sign-in') return startSignIn(response)
    if (pathname === '/callback') return finishSignIn(response, sessionId, target)
    if (pathname === '/sign-out') return signOut(response, sessionId)
    response.writeHead(404).end()
  }

  return createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      // The user has denied access, or the reply of the forge is invalid.
      response.writeHead(400, { 'Content-Type': 'text/plain; charset=utf-8' }).end(`Sign-in failed: ${String(error)}\n`)
    })
  })
}
