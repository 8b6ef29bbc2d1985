import type { FakeForge } from '@forgelet/fixtures'
import { createSampleHistory } from '../support/sample-history.ts'
import { world } from '../world.ts'

/** A repository with more than 1,200 commits, unusual names, criss-cross merges and submodules. */
export const sample = createSampleHistory()

/** A forge whose project `acme/web` uses that repository in place. */
export async function sampleWorld(): Promise<FakeForge> {
  const forge = await world()
  await forge.host.repository.import({ project: 'acme/web', path: sample.directory, inPlace: true })
  return forge
}
