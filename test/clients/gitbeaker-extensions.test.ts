import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { toFullPath } from '../../packages/http/src/routing/route.ts'
import { ClientWorld } from './extension-calls/client-world.ts'
import { extensionCalls } from './extension-calls/index.ts'

/**
 * Calls every route beyond the specification with the most used JavaScript client over a socket: as a user who may make the call, and
 * as one who is refused.
 */

let world: ClientWorld
beforeAll(async () => {
  world = await ClientWorld.open()
})
afterAll(() => world.forge.close())
beforeEach(() => world.forge.journal.clear())

const toRoute = (line: string) => line.replace(/ .*/, (path) => ` ${toFullPath(path.slice(1))}`)

/** The status of the last request of a route; the client can follow a redirect to another one. */
const readStatus = (line: string) => {
  const requests = world.forge.journal.all.filter(({ route }) => route === toRoute(line))
  expect(requests.map(({ route }) => route)).toContain(toRoute(line))
  return requests.at(-1)?.status
}

describe.each(Object.entries(extensionCalls))('@gitbeaker/rest: %s', (_family, calls) => {
  describe.each(Object.entries(calls))('%s', (line, { call, by, refused }) => {
    test(`${by} succeeds`, async () => {
      await call(await world.clientOf(by), world)
      expect(readStatus(line)).toBeLessThan(400)
    })

    test(`${refused} is refused`, async () => {
      await expect(call(await world.clientOf(refused), world)).rejects.toThrow()
      expect([401, 403, 404]).toContain(readStatus(line))
    })
  })
})
