import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import type { OpenOptions, SqliteDatabase, SqliteDriverName } from './driver.ts'
import { loadDriver } from './load.ts'

/** The connections of this process to files, and the identity of each file. */
const connections = new Map<SqliteDatabase, string>()

const identify = (path: string) => {
  try {
    return realpathSync(path)
  } catch {
    return resolve(path)
  }
}

/** Records an open connection, so that later connections to its file use the same library. */
export const register = (database: SqliteDatabase): SqliteDatabase => {
  if (database.path !== undefined) connections.set(database, identify(database.path))
  return database
}

const findOpenConnection = (path: string) => {
  const identity = identify(path)
  for (const [database, other] of connections) {
    if (!database.isOpen) connections.delete(database)
    else if (other === identity) return database
  }
  return undefined
}

/**
 * Opens a path, `:memory:` or bytes. A file that this process has open is opened with the same driver: the locks of a file belong
 * to the process, so a second copy of SQLite would not respect the locks of the first, and release them when it closes the file.
 *
 * @param name default: see `loadDriver`
 */
export const openWithDriver = (
  source: string | Buffer,
  options: OpenOptions & { readonly driver?: SqliteDriverName | undefined } = {},
): SqliteDatabase => {
  const used = typeof source === 'string' && source !== ':memory:' ? findOpenConnection(source)?.driver : undefined
  if (used && options.driver && used.name !== options.driver) {
    throw new Error(
      `${source} is already open in this process with ${used.name}: open it with the same driver, or close it first`,
    )
  }
  return register((used ?? loadDriver(options.driver)).open(source, options))
}
