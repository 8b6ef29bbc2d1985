import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A file system in memory on Linux. Containers often limit it to 64 MiB, or do not execute programs there. */
const fileSystem = '/dev/shm'

const prefix = 'forgelet-tests-'
/** Milliseconds. Runs take at most a few hours. */
const day = 24 * 60 * 60_000

const gibibyte = 1024 ** 3
/** Bytes. A run stores up to 1.4 GiB at a time. */
const requiredSpace = 3 * gibibyte
/** Bytes for the files, the test processes, servers and browsers. */
const requiredMemory = 8 * gibibyte

const hasSpace = (): boolean => {
  const { bavail, bsize } = statfsSync(fileSystem)
  return bavail * bsize >= requiredSpace && process.availableMemory() >= requiredMemory
}

const remove = (folder: string) => rmSync(folder, { recursive: true, force: true })

/** Removes the folders of runs that were killed. */
const removeAbandoned = () => {
  const folders = readdirSync(fileSystem).filter((name) => name.startsWith(prefix))
  for (const folder of folders.map((name) => join(fileSystem, name)))
    if (statSync(folder).mtimeMs < Date.now() - day) remove(folder)
}

const canExecute = (folder: string): boolean => {
  const program = join(folder, 'program')
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
  const { status } = spawnSync(program)
  rmSync(program)
  return status === 0
}

/**
 * Creates a folder in memory for the temporary files of a run, which takes an eighth of the processor time from tests with
 * repositories and databases. Removes it when the process ends. Returns undefined where that is not possible.
 */
export const createMemoryFolder = (): string | undefined => {
  try {
    removeAbandoned()
    if (!hasSpace()) return undefined
    const folder = mkdtempSync(join(fileSystem, prefix))
    process.once('exit', () => remove(folder))
    // PostgreSQL may run as another user.
    chmodSync(folder, 0o711)
    return canExecute(folder) ? folder : undefined
  } catch {
    return undefined
  }
}
