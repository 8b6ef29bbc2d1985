import { appendFileSync } from 'node:fs'
import type { FakeForgeOptions } from '@forgelet/fixtures'
import type { Middleware } from '@forgelet/http'
import { expect } from 'vitest'

/** A request sent by a test's client, and the status of its response. */
export interface RecordedRequest {
  readonly file: string
  /** The name of the test; undefined for requests sent before the first test. */
  readonly test: string | undefined
  /** `GET /api/v4/projects/:id/labels`. */
  readonly route: string
  readonly status: number
}

const recorder =
  (path: string): Middleware =>
  (next) =>
  async (request) => {
    const reply = await next(request)
    const route = reply.log?.route
    // Tests mark requests that they send themselves to check an outcome; these are not requests of a client.
    if (route === undefined || request.header('x-forgelet-test') !== undefined) return reply
    const { testPath = '', currentTestName } = expect.getState()
    const recorded: RecordedRequest = {
      file: testPath,
      test: currentTestName,
      route: `${request.method} ${route}`,
      status: reply.status,
    }
    appendFileSync(path, `${JSON.stringify(recorded)}\n`)
    return reply
  }

/** Adds a recorder of all requests while the compatibility page is generated (`FORGELET_COMPATIBILITY` is a file path). */
export const withRequestRecorder = (options: FakeForgeOptions): FakeForgeOptions => {
  const path = process.env.FORGELET_COMPATIBILITY
  if (path === undefined) return options
  return { ...options, http: { ...options.http, middleware: [...(options.http?.middleware ?? []), recorder(path)] } }
}
