import type * as NodeHttp from 'node:http'

/**
 * An `import` of node:http evaluates all its exports, one of which loads a WebSocket client. That takes one sixth of the
 * startup time; `getBuiltinModule` avoids it.
 */
const http: typeof NodeHttp = process.getBuiltinModule('node:http')

export const { createServer, STATUS_CODES } = http
