import { createRequire } from 'node:module'
import type Sqlite from 'better-sqlite3'
import { toError } from '../../../shared/error-code.ts'
import { assertNodeVersion } from '../../node-version.ts'
import { createBetterSqlite3Driver } from './better-sqlite3.ts'
import type { SqliteDriver, SqliteDriverName } from './driver.ts'
import { createNodeSqliteDriver } from './node-sqlite.ts'

const loadModule = createRequire(import.meta.url)

const isBetterSqlite3Installed = () => {
  try {
    loadModule.resolve('better-sqlite3')
    return true
  } catch {
    return false
  }
}

/** Undefined in a runtime without `node:sqlite`, or where it cannot serialize databases. */
const findNodeSqlite = () => {
  const found = process.getBuiltinModule('node:sqlite')
  return found && 'deserialize' in found.DatabaseSync.prototype ? found : undefined
}

const missingBetterSqlite3 = 'better-sqlite3 is not installed'
const missingNodeSqlite = () =>
  `node:sqlite of Node.js ${process.versions.node} cannot be used, because it cannot serialize databases`
const advice = 'Install better-sqlite3 (`npm install better-sqlite3`), or use Node.js 24.16 or newer'

const openBetterSqlite3 = (): SqliteDriver => {
  if (!isBetterSqlite3Installed()) throw new Error(`The SQLite driver ${missingBetterSqlite3}. ${advice}.`)
  try {
    const Database = loadModule('better-sqlite3') as typeof Sqlite
    // The first database loads the native code.
    new Database(':memory:').close()
    return createBetterSqlite3Driver(Database)
  } catch (cause) {
    throw new Error(
      `better-sqlite3 is installed, but cannot be loaded: ${toError(cause).message}\nReinstall it, or select the driver of Node.js: { driver: 'node:sqlite' } or FORGELET_SQLITE_DRIVER=node:sqlite.`,
      { cause },
    )
  }
}

const openNodeSqlite = (): SqliteDriver => {
  const found = findNodeSqlite()
  if (!found) throw new Error(`The SQLite driver ${missingNodeSqlite()}. ${advice}.`)
  return createNodeSqliteDriver(found)
}

const loaders: Readonly<Record<SqliteDriverName, () => SqliteDriver>> = {
  'better-sqlite3': openBetterSqlite3,
  'node:sqlite': openNodeSqlite,
}

const chooseDriver = (): SqliteDriverName => {
  if (isBetterSqlite3Installed()) return 'better-sqlite3'
  if (findNodeSqlite()) return 'node:sqlite'
  throw new Error(`No SQLite driver was found: ${missingBetterSqlite3}, and ${missingNodeSqlite()}. ${advice}.`)
}

const drivers = new Map<string | undefined, SqliteDriver>()
let selected: string | undefined

/**
 * Selects the driver of all later stores of this process without the option `driver`; without a name, better-sqlite3 where it is
 * installed, else `node:sqlite`.
 */
export const selectSqliteDriver = (name: string | undefined): void => {
  selected = name
}

/**
 * Loads a driver on first use.
 *
 * @throws Error if it cannot be loaded; TypeError for an unknown name
 */
export const loadDriver = (name: string | undefined = selected): SqliteDriver => {
  const loaded = drivers.get(name)
  if (loaded) return loaded
  // On an unsupported Node.js the native module ends the process instead of throwing.
  assertNodeVersion()
  const chosen = name ?? chooseDriver()
  if (!Object.hasOwn(loaders, chosen)) {
    throw new TypeError(`The SQLite driver '${chosen}' is unknown: use 'better-sqlite3' or 'node:sqlite'`)
  }
  const driver = loaders[chosen as SqliteDriverName]()
  drivers.set(name, driver)
  return driver
}
