import type { CachedQuery, Row } from '../kernel/store.ts'
import { defined } from '../shared/defined.ts'

/**
 * Tables whose rows are cached together: a statement that writes to one of them invalidates all cached queries over the group.
 * No trigger and no foreign key of another table changes them; a test compares this list with the schema.
 */
export type CachedTables = readonly string[]

/** Tables that identify a caller and decide what the caller may do. Every call reads them, few calls write to them. */
export const permissionTables: CachedTables = [
  'member',
  'namespace',
  'namespace_lineage',
  'personal_access_token',
  'project',
  'scim_token',
  'share',
  'user',
  'user_identity',
]

/** Tables of the settings of the instance, and of the texts on all its pages. */
export const settingTables: CachedTables = [
  'appearance',
  'application_secret',
  'application_setting',
  'broadcast_message',
  'forgelet_migration',
]

const allGroups: readonly CachedTables[] = [permissionTables, settingTables]

const maxCachedResults = 10_000
/** Characters. Longer parameters are not cached, so that callers cannot fill the memory with long paths. */
const maxKeyTextLength = 500

/** Nested maps, one level for each parameter; the last level holds the rows. */
type CachedResults = Map<unknown, CachedResults | readonly Row[]>

const isTooLong = (value: unknown) => typeof value === 'string' && value.length > maxKeyTextLength

/** Rows of cached queries, valid for one version of the data. */
export interface RowCache {
  /**
   * Called when a snapshot or a transaction begins, with a value that identifies the version of the data: another
   * value means that another process has written. Returns the number that `get` and `set` require in that snapshot.
   */
  syncVersion(version: unknown): number
  /** The group of tables that a query reads. */
  groupOf(query: CachedQuery): CachedTables
  /** The groups that a writing statement can change; all of them if the statement cannot be read. */
  groupsChangedBy(sql: string): readonly CachedTables[]
  /**
   * The rows of a query for the parameters of `key`, unless the cache has rows of another version. Shared and frozen: callers
   * copy them before they return them.
   */
  get(query: CachedQuery, key: readonly unknown[], version: number): readonly Row[] | undefined
  /** Caches and freezes rows, unless the cache was invalidated after the snapshot with this version number began. */
  set(query: CachedQuery, key: readonly unknown[], version: number, rows: readonly Row[]): readonly Row[]
  /** Called after the commit of a transaction that changed the groups. */
  invalidate(groups: ReadonlySet<CachedTables>): void
}

/** @param prefix the prefix of table names */
export const createRowCache = (prefix: string): RowCache => {
  const groupByTable = new Map(allGroups.flatMap((group) => group.map((table) => [prefix + table, group] as const)))
  const groupByQuery = new Map<CachedQuery, CachedTables>()
  const results = new Map<CachedTables, CachedResults>(allGroups.map((group) => [group, new Map()]))
  let count = 0
  let currentVersion: unknown
  let versionNumber = 0

  const clear = (changed: Iterable<CachedTables>) => {
    for (const group of changed) results.get(group)?.clear()
    versionNumber += 1
    count = 0
  }
  const findGroup = (query: CachedQuery): CachedTables => {
    const tables = Array.from(query.sql.matchAll(/\b(?:from|join) (?:"\w+"\.)?"(\w+)"/g), ([, table = '']) => table)
    const [group, ...others] = new Set(tables.map((table) => groupByTable.get(table)))
    if (!group || others.length) throw new Error(`A cached query reads ${tables.join(', ')}, which are not one group`)
    return group
  }
  const groupOf = (query: CachedQuery): CachedTables => {
    let group = groupByQuery.get(query)
    if (!group) {
      group = findGroup(query)
      groupByQuery.set(query, group)
    }
    return group
  }
  const resultsOf = (query: CachedQuery) => defined(results.get(groupOf(query)))
  return {
    groupOf,
    syncVersion(version) {
      if (version !== currentVersion) {
        currentVersion = version
        clear(allGroups)
      }
      return versionNumber
    },
    groupsChangedBy(sql) {
      const tables = Array.from(
        sql.matchAll(/\b(?:insert into|update|delete from) (?:"\w+"\.)?"(\w+)"/g),
        ([, table = '']) => groupByTable.get(table),
      )
      return tables.length ? allGroups.filter((group) => tables.includes(group)) : allGroups
    },
    get(query, key, version) {
      if (version !== versionNumber) return undefined
      let entry = resultsOf(query).get(query)
      for (let index = 0; entry && index < key.length; index++) entry = (entry as CachedResults).get(key[index])
      return entry as readonly Row[] | undefined
    },
    set(query, key, version, rows) {
      let level = resultsOf(query)
      if (version !== versionNumber || key.some(isTooLong)) return rows
      if (count >= maxCachedResults) {
        for (const cached of results.values()) cached.clear()
        count = 0
      }
      for (const row of rows) Object.freeze(row)
      let last: unknown = query
      for (const value of key) {
        const next: CachedResults = (level.get(last) as CachedResults | undefined) ?? new Map()
        level.set(last, next)
        level = next
        last = value
      }
      level.set(last, rows)
      count += 1
      return rows
    },
    invalidate: clear,
  }
}
