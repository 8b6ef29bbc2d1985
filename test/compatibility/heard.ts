import { appendFileSync } from 'node:fs'
import type { FakeForgeOptions } from '@forgelet/fixtures'
import type { Layer } from '@forgelet/http'
import { expect } from 'vitest'

/** One request that a test's client has sent, and how it was answered. */
export interface Heard {
  /** The file and the name of the test; no name for what is sent before the first one. */
  readonly file: string
  readonly test: string | undefined
  /** `GET /api/v4/projects/:id/labels`. */
  readonly route: string
  readonly status: number
}

const hearing =
  (into: string): Layer =>
  (next) =>
  async (ask) => {
    const seen = ask.seen ?? {}
    const reply = await next({ ...ask, seen })
    // What a test asks by itself, to look at the outcome, is no client's doing.
    if (seen.route === undefined || ask.header('x-forgelet-test') !== undefined) return reply
    const { testPath = '', currentTestName } = expect.getState()
    const heard: Heard = {
      file: testPath,
      test: currentTestName,
      route: `${ask.method} ${seen.route}`,
      status: reply.status,
    }
    appendFileSync(into, `${JSON.stringify(heard)}\n`)
    return reply
  }

/** Writes down every request of every world, while the page of compatibility is made. */
export const heard = (options: FakeForgeOptions): FakeForgeOptions => {
  const into = process.env.FORGELET_COMPATIBILITY
  if (into === undefined) return options
  return { ...options, http: { ...options.http, layers: [...(options.http?.layers ?? []), hearing(into)] } }
}
