export type { AppOptions, Logger } from './app.ts'
export { fetchHandler } from './fetch.ts'
export { handler } from './node.ts'
export { type ServeOptions, type Serving, serve } from './serve.ts'
