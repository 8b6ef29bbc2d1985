import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

/** Creates a folder, and removes it after the run. Test processes cannot remove it, because they are ended by a signal. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'forgelet-tests-'))
  project.provide('temporaryFolder', folder)
  return () => rm(folder, { recursive: true, force: true })
}

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder of this run, for builds and compiled code. */
    temporaryFolder: string
  }
}
