import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, isAbsolute, join, resolve } from 'node:path'

/**
 * Where the repositories of projects lie. A repository is known by its place: a name below the folder, as `newPlace` makes
 * it, or an absolute path of the host's own, which is used where it is and never removed.
 */
export interface Repositories {
  /** A name below the folder that nothing else has. */
  newPlace(): string
  /** The absolute path of a place. */
  directoryOf(place: string): string
  /**
   * Whether what lies there may be changed in place. False in a folder that copies of one database look into together: then
   * the first change of each goes into a copy.
   */
  isOwn(place: string): boolean
  /** From now on other copies of the database may know what lies here: the next change of anything goes into a copy. */
  share(): void
  /** Removes what ends with the platform. */
  close(): void
}

/** `3f/3f9c….git`: a folder for each first byte, as no file system likes very many entries in one. */
const newName = (): string => {
  const name = randomBytes(16).toString('hex')
  return `${name.slice(0, 2)}/${name}.git`
}

/** True for places below a folder; all others are the host's own. */
export const isBelowFolder = (place: string): boolean => !isAbsolute(place)

/** Repositories that stay, in a folder that is made when it is needed. */
export const repositoriesIn = (folder: string): Repositories => ({
  newPlace() {
    // What is private in the database is private here too.
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return newName()
  },
  directoryOf: (place) => resolve(folder, place),
  isOwn: () => true,
  share: () => undefined,
  close: () => undefined,
})

/**
 * One folder for all platforms of the process that have no place for data: copies of a database in memory read the same
 * repositories without a copy of their own.
 */
let commonFolder: string | undefined

let swept = false

const temporaryFolder = (): string => {
  commonFolder ??= mkdtempSync(join(tmpdir(), 'forgelet-repositories-'))
  if (!swept) {
    process.on('exit', () => commonFolder !== undefined && rmSync(commonFolder, { recursive: true, force: true }))
    swept = true
  }
  return commonFolder
}

/** Platforms that have something in the common folder, or are about to. */
const makers = new Set<object>()

/** Whether the folder is gone: others may still have something in it. */
const removeEmpty = (folder: string): boolean => {
  try {
    rmdirSync(folder)
    return true
  } catch {
    return !existsSync(folder)
  }
}

/** Repositories that end with the platform, or at the latest with the process. */
export const temporaryRepositories = (): Repositories => {
  const made = new Set<string>()
  const own = new Set<string>()
  const directoryOf = (place: string) => resolve(temporaryFolder(), place)
  return {
    newPlace() {
      const place = newName()
      made.add(place)
      own.add(place)
      makers.add(made)
      return place
    },
    directoryOf,
    isOwn: (place) => !isBelowFolder(place) || own.has(place),
    share() {
      // What others know of stays until the process ends: this platform may end before them.
      made.clear()
      own.clear()
    },
    close() {
      for (const place of made) {
        rmSync(directoryOf(place), { recursive: true, force: true })
        removeEmpty(dirname(directoryOf(place)))
      }
      makers.delete(made)
      if (makers.size === 0 && commonFolder !== undefined && removeEmpty(commonFolder)) commonFolder = undefined
      made.clear()
      own.clear()
    },
  }
}
