import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDataFile, type World } from './data-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'forgelet-bench-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

/** Prints progress to standard error. */
export const progress = (text: string): void => void process.stderr.write(`${text}\n`)

/** A path in the temporary folder of this run, which is deleted when the run ends. */
export const temporaryPath = (name: string): string => join(folder, name)

let seeded: Promise<World> | undefined

/** The benchmark data: seeded once per run. */
export const world = (): Promise<World> => {
  if (!seeded) progress('seeding the data file')
  seeded ??= createDataFile(temporaryPath('world.db'))
  return seeded
}

/** A copy of the data file with the benchmark data. */
export async function copyWorld(name: string): Promise<string> {
  await world()
  const path = temporaryPath(name)
  copyFileSync(temporaryPath('world.db'), path)
  for (const suffix of ['-wal', '-shm']) if (existsSync(path + suffix)) rmSync(path + suffix)
  return path
}
