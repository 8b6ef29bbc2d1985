import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

/** Creates the folder for the builds of `test/support/command.ts`, and removes it after the run: test processes end by a signal. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'forgelet-command-'))
  project.provide('commandFolder', folder)
  return () => rm(folder, { recursive: true, force: true })
}

declare module 'vitest' {
  interface ProvidedContext {
    /** A temporary folder. */
    commandFolder: string
  }
}
