import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, isAbsolute, join, resolve } from 'node:path'

/**
 * The directories of project repositories. A storage key identifies a repository: either a name below the folder, as
 * `createStorageKey` returns, or an absolute path of the host, which is used in place and never removed.
 */
export interface RepositoryStorage {
  /** Names that the setting `repositoryStorages` accepts. Default: `default`. All repositories are in one folder with the default port. */
  readonly names?: readonly string[]
  /** Returns a unique name below the folder. */
  createStorageKey(): string
  /** The absolute path of a repository. */
  directoryOf(storageKey: string): string
  /**
   * Whether the repository may be modified in place. False for a repository that copies of the database share: the first
   * modification by each platform is then made in a copy of the repository.
   */
  canModifyInPlace(storageKey: string): boolean
  /** Declares all current repositories shared with copies of the database: the next modification of each is made in a copy. */
  markShared(): void
  /** Removes the temporary repositories of this platform. */
  close(): void
}

/** `3f/3f9c….git`: one folder for each first byte, because very large folders are slow. */
const generateStorageKey = (): string => {
  const name = randomBytes(16).toString('hex')
  return `${name.slice(0, 2)}/${name}.git`
}

/** True for names below the folder, false for absolute paths of the host. */
export const isManagedStorageKey = (storageKey: string): boolean => !isAbsolute(storageKey)

/** Stores repositories permanently in a folder, which is created with the first repository. */
export const folderRepositoryStorage = (folder: string): RepositoryStorage => ({
  createStorageKey() {
    // Repositories of private projects must not be readable by other users of the machine.
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return generateStorageKey()
  },
  directoryOf: (storageKey) => resolve(folder, storageKey),
  canModifyInPlace: () => true,
  markShared: () => undefined,
  close: () => undefined,
})

/**
 * The folder of all platforms of this process with a database in memory, so that copies of a database share its
 * repositories.
 */
let sharedFolder: string | undefined

let isCleanupRegistered = false

const ensureSharedFolder = (): string => {
  sharedFolder ??= mkdtempSync(join(tmpdir(), 'forgelet-repositories-'))
  if (!isCleanupRegistered) {
    process.on('exit', () => sharedFolder !== undefined && rmSync(sharedFolder, { recursive: true, force: true }))
    isCleanupRegistered = true
  }
  return sharedFolder
}

/** The storages that may have repositories in the shared folder. */
const activeStorages = new Set<object>()

/** Returns whether the folder no longer exists; other platforms may still have repositories in it. */
const removeFolderIfEmpty = (folder: string): boolean => {
  try {
    rmdirSync(folder)
    return true
  } catch {
    return !existsSync(folder)
  }
}

/** Stores repositories until the platform closes or, when they are shared, until the process exits. */
export const temporaryRepositoryStorage = (): RepositoryStorage => {
  const unshared = new Set<string>()
  const directoryOf = (storageKey: string) => resolve(ensureSharedFolder(), storageKey)
  return {
    createStorageKey() {
      const storageKey = generateStorageKey()
      unshared.add(storageKey)
      activeStorages.add(unshared)
      return storageKey
    },
    directoryOf,
    canModifyInPlace: (storageKey) => !isManagedStorageKey(storageKey) || unshared.has(storageKey),
    // `close` keeps shared repositories, because copies may outlive this platform.
    markShared: () => unshared.clear(),
    close() {
      for (const storageKey of unshared) {
        rmSync(directoryOf(storageKey), { recursive: true, force: true })
        removeFolderIfEmpty(dirname(directoryOf(storageKey)))
      }
      activeStorages.delete(unshared)
      if (activeStorages.size === 0 && sharedFolder !== undefined && removeFolderIfEmpty(sharedFolder))
        sharedFolder = undefined
      unshared.clear()
    },
  }
}
