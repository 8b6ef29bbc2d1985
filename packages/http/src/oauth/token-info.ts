import { isPlatformError, type Platform, type Session } from '@forgelet/core'
import type { RequestContext } from '../app/request-context.ts'
import type { Reply } from '../reply/reply.ts'
import { readIdentity } from '../request/credentials.ts'
import { parseQuery } from '../request/parameters.ts'

const noStore = { 'Cache-Control': 'no-store', Pragma: 'no-cache' }

const invalidTokenReply: Reply = {
  status: 401,
  headers: { ...noStore, 'WWW-Authenticate': 'Bearer error="invalid_token"' },
  body: { error: 'invalid_token', error_description: 'The access token is invalid', state: 'unauthorized' },
}

/** Whether calls with the token succeed. */
const isValid = async (platform: Platform, token: string): Promise<boolean> => {
  try {
    await platform.authenticate(token)
    return true
  } catch (error) {
    if (isPlatformError(error) && (error.code === 'unauthenticated' || error.code === 'forbidden')) return false
    throw error
  }
}

/** Describes the access token that authenticates the request, as `GET /oauth/token/info` of GitLab does. */
export const createTokenInfo = async (
  platform: Platform,
  host: Session,
  { request, query }: RequestContext,
): Promise<Reply> => {
  const identity = readIdentity(request.header, [parseQuery(query)])
  const token = identity !== null && 'token' in identity ? identity.token : ''
  if (token === '' || !(await isValid(platform, token))) return invalidTokenReply
  const record = await host.oauthProvider.find({ model: 'AccessToken', value: token })
  if (!record) return invalidTokenReply
  const { userId, payload, createdAt, expiresAt } = record
  const scope = String(payload.scope ?? '')
    .split(' ')
    .filter((name) => name !== '')
  const seconds = Math.round((Date.parse(expiresAt) - platform.ports.clock.now()) / 1_000)
  const body = {
    resource_owner_id: userId,
    scope,
    expires_in: seconds,
    application: { uid: payload.clientId },
    created_at: Math.floor(Date.parse(createdAt) / 1_000),
    scopes: scope,
    expires_in_seconds: seconds,
  }
  return { status: 200, body, headers: noStore }
}
