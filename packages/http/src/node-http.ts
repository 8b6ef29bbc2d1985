import type * as NodeHttp from 'node:http'

/**
 * Imported like any other module, node:http hands over all of its exports at once, and one of them loads a client for
 * WebSocket, which takes a sixth of a start.
 */
const http: typeof NodeHttp = process.getBuiltinModule('node:http')

export const { createServer, STATUS_CODES } = http
