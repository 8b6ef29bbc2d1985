import type { FakeForge } from '@forgelet/fixtures'
import { sampleHistory } from '../../packages/core/src/ports/git-binary/sample-history.ts'
import { world } from '../world.ts'

/** The repository that git itself is asked about: more than 1,200 commits, odd names, crossed merges, submodules. */
export const sample = sampleHistory()

/** A world whose project `acme/web` uses that repository where it lies. */
export async function sampleWorld(): Promise<FakeForge> {
  const forge = await world()
  await forge.host.repository.import({ project: 'acme/web', path: sample.directory, inPlace: true })
  return forge
}
