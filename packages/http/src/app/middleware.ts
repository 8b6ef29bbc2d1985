import type { Reply } from '../reply/reply.ts'
import type { IncomingRequest } from '../request/incoming-request.ts'

/** Answers a request. Errors become replies; the promise rejects only when a middleware cuts the connection. */
export type App = (request: IncomingRequest) => Promise<Reply>

/** Wraps an app: it can answer a request itself, change the reply, or throw to cut the connection. */
export type Middleware = (next: App) => App
