import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A file system in memory on Linux. Containers often limit it to 64 MiB, or do not execute programs there. */
const fileSystem = '/dev/shm'

const gibibyte = 1024 ** 3
/** Bytes. A run stores 1.4 GiB at a time. */
const requiredSpace = 3 * gibibyte
/** Bytes for the files, the test processes, servers and browsers. */
const requiredMemory = 8 * gibibyte

const hasSpace = (): boolean => {
  const { bavail, bsize } = statfsSync(fileSystem)
  return bavail * bsize >= requiredSpace && process.availableMemory() >= requiredMemory
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
    if (!hasSpace()) return undefined
    const folder = mkdtempSync(join(fileSystem, 'forgelet-'))
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    // PostgreSQL may run as another user.
    chmodSync(folder, 0o711)
    return canExecute(folder) ? folder : undefined
  } catch {
    return undefined
  }
}
