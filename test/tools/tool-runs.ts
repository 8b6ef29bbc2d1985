import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeAll, beforeEach, type TestContext } from 'vitest'
import { world } from '../world.ts'
import { type Checkout, checkout } from './checkout.ts'
import { installTools } from './install-tools.ts'

/** For each test of a file: a forge on a port, a checkout of one of its projects, and the folder of the installed tools. */
export const setUpToolRuns = (project: string) => {
  const runs = {} as { toolsFolder: string | undefined; forge: FakeForge; work: Checkout }
  beforeAll(async () => {
    runs.toolsFolder = await installTools()
  }, 300_000)
  beforeEach(async () => {
    runs.forge = await world({ port: 0 })
    runs.work = await checkout(runs.forge, project)
  })
  afterEach(async () => {
    runs.work.remove()
    await runs.forge.close()
  })
  return runs
}

/** Skips a test if the tools are not installed; `installTools` has printed a warning. */
export const needsTools = ({ toolsFolder }: { toolsFolder: string | undefined }, { skip }: TestContext) => {
  if (toolsFolder === undefined) skip('the tools could not be downloaded')
}
