import { createErrorReply } from '../reply/error-replies.ts'
import { readIdentity } from '../request/credentials.ts'
import type { Protocol } from './protocol.ts'

/** The main API. */
export const mainProtocol: Protocol = {
  mediaType: 'application/json',
  errorSchema: 'Error',
  security: ['token', 'bearer'],
  jsonOnly: false,
  async readIdentity(header, sources, identifyHost) {
    const identity = await identifyHost()
    return identity === undefined ? readIdentity(header, sources) : identity
  },
  createErrorReply,
  convertErrorReply: (reply) => reply,
  createMethodNotAllowedReply: () => ({ status: 405, body: { error: '405 Not Allowed' } }),
}
