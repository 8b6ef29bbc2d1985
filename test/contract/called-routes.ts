import type { FakeForgeOptions } from '@forgelet/fixtures'
import type { Middleware } from '@forgelet/http'
import { expect, test } from 'vitest'
import { routesOf } from '../coverage/extension-routes.ts'
import { onEachFile } from '../support/each-file.ts'

/** The routes that the tests of this file have called successfully: `GET /api/v4/projects/:id/labels`. */
const called = new Set<string>()
onEachFile(() => called.clear())

const recorder: Middleware = (next) => async (request) => {
  const reply = await next(request)
  const route = reply.log?.route
  if (route !== undefined && reply.status < 400) called.add(`${request.method} ${route}`)
  return reply
}

/** Records the successful calls of a server for `everyRouteCalled`. */
export const recordCalls = (options: FakeForgeOptions): FakeForgeOptions => ({
  ...options,
  http: { ...options.http, middleware: [...(options.http?.middleware ?? []), recorder] },
})

/** Requires a successful call by the tests above for every route of these families, documented or an extension. */
export function everyRouteCalled(...families: string[]): void {
  test.each(families)('every route of the %s is called', (family) => {
    const routes = routesOf(family)
    expect(routes.length).toBeGreaterThan(0)
    const missing = routes.filter((line) => !called.has(line))
    expect(
      missing.map(
        (line) => `${line} is never called successfully: add a contract test to this file, or correct one that fails`,
      ),
    ).toEqual([])
  })
}
