import type { FakeForgeOptions } from '@forgelet/fixtures'
import type { Middleware } from '@forgelet/http'
import { afterEach, expect } from 'vitest'
import { matchRoute } from '../../packages/http/src/routing/match-route.ts'
import { onEachFile } from '../support/each-file.ts'
import { createResponseCheck } from './response-check.ts'

/** The differences between the responses of the current test and the OpenAPI document. */
const faults: string[] = []

const checks = new Map<number | undefined, ReturnType<typeof createResponseCheck>>()

const getCheck = (createdStatus: number | undefined) => {
  const check = checks.get(createdStatus) ?? createResponseCheck(createdStatus)
  checks.set(createdStatus, check)
  return check
}

/** Replies to requests that were rejected before their operation. */
const earlyStatuses = new Set([400, 401, 413, 414, 415])

const createRecorder =
  (createdStatus: number | undefined): Middleware =>
  (next) =>
  async (request) => {
    const reply = await next(request)
    const match = matchRoute(request.method, request.target.split('?', 1)[0] as string)
    // Injected faults have any status and body, and no route.
    if (match.kind !== 'route' || (reply.log?.route === undefined && !earlyStatuses.has(reply.status))) return reply
    // Nothing is sent to a client that has disconnected.
    if (reply.status === 499) return reply
    const { bytes = '', headers = {} } = reply
    // Nobody receives the reply to an aborted request (499), and long pages of lists are streams.
    if (reply.status === 499 || (typeof bytes !== 'string' && headers['Content-Type']?.includes('json'))) return reply
    const isText = typeof bytes === 'string'
    faults.push(
      ...getCheck(createdStatus)(match.route, {
        status: reply.status,
        contentType: headers['Content-Type'],
        text: isText ? bytes : 'binary',
      }),
    )
    return reply
  }

/** Compares all responses of a server with the OpenAPI document. A test with a difference fails. */
export const withResponseCheck = (options: FakeForgeOptions): FakeForgeOptions => ({
  ...options,
  http: {
    ...options.http,
    middleware: [...(options.http?.middleware ?? []), createRecorder(options.http?.createdStatus)],
  },
})

onEachFile(() => {
  afterEach(() => {
    expect(faults.splice(0), 'differences from the OpenAPI document').toEqual([])
  })
})
