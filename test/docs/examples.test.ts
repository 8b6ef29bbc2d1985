import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { examples, root } from './snippets.ts'

/** Runs the `@example` blocks of the packages; `test/check/types.ts` checks their types. */

/** Inside the workspace, so that package names resolve; ignored by git. */
const folder = join(root, 'test', 'artefacts', `examples-${process.pid}`)

beforeAll(() => mkdir(folder, { recursive: true }))
afterAll(() => rm(folder, { recursive: true, force: true }))

test.each([
  ['packages/core/src/platform.ts', 1],
  ['packages/core/src/platform-interface.ts', 2],
  ['packages/core/src/db/sqlite/sqlite.ts', 1],
  ['packages/core/src/db/postgres/postgres.ts', 1],
  ['packages/core/src/seed/seed.ts', 1],
  ['packages/http/src/server/serve.ts', 1],
  ['packages/http/src/server/fetch-handler.ts', 1],
  ['packages/http/src/server/node-handler.ts', 1],
  ['packages/fixtures/src/fake-forge.ts', 1],
  ['packages/fixtures/src/fetch-stub.ts', 1],
])('%s has examples', (path, count) => {
  expect(examples.filter(({ place }) => place.startsWith(`${path}:`))).toHaveLength(count)
})

test.each(examples.filter(({ runs }) => runs))('$place prints its output', async ({ place, code, prints }) => {
  expect(prints.length).toBeGreaterThan(0)
  const file = join(folder, `${place.replace(/\W+/g, '-')}.ts`)
  await writeFile(file, code)
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  try {
    await import(file)
    expect(log.mock.calls.map((values) => values.join(' '))).toEqual(prints)
  } finally {
    log.mockRestore()
  }
})
