import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeDataFile, type World } from './data-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'forgelet-bench-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

/** Says on standard error how far it is. */
export const progress = (text: string): void => void process.stderr.write(`${text}\n`)

/** A path in the folder of this run, which goes when the run ends. */
export const place = (name: string): string => join(folder, name)

let made: Promise<World> | undefined

/** The measured world: planted once a run. */
export const world = (): Promise<World> => {
  if (!made) progress('planting the world')
  made ??= makeDataFile(place('world.db'))
  return made
}

/** A copy of the world's data file. */
export async function worldCopy(name: string): Promise<string> {
  await world()
  const path = place(name)
  copyFileSync(place('world.db'), path)
  for (const rest of ['-wal', '-shm']) if (existsSync(path + rest)) rmSync(path + rest)
  return path
}
