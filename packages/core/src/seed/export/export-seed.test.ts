import { createPlatform, type Platform } from '@forgelet/core'
import { exportSeed, seed } from '@forgelet/core/seed'
import { expect, test } from 'vitest'
import { fullSeed } from '../../../../../test/full-seed.ts'
import { emptyStore, world } from '../../../../../test/world.ts'
import type { Seed } from '../seed.ts'

const seeded = async (data: Seed): Promise<Platform> => {
  const platform = createPlatform(await emptyStore())
  await seed(platform, data)
  return platform
}

test('the seed of an export creates a world whose export is equal', async () => {
  await using forge = await world({ seed: fullSeed })
  const first = await exportSeed(forge.platform)
  const copy = await seeded(first.seed)
  expect((await exportSeed(copy)).seed).toEqual(first.seed)
  await copy.close()
})
