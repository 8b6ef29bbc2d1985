import type { Lock } from '../kernel/store.ts'

/** Held by every transaction: shared, or exclusively by one that excludes all others. */
export const instanceLock = 'instance'

/** SQL text of the locks and of the version of the cached tables, for the tables of one schema. */
export const createLockSql = (schema: string | undefined) => {
  const table = schema === undefined ? 'permission_version' : `"${schema}".permission_version`
  // Advisory locks belong to the whole database: the id of the table tells installations in different schemas apart.
  const installation = `coalesce(to_regclass('${table}')::oid::bigint, 0)`
  /** @param name SQL text */
  const acquire = (name: string, isShared = false) =>
    `pg_advisory_xact_lock${isShared ? '_shared' : ''}(hashtextextended(${name}, ${installation}))`
  return {
    /** A statement without parameters. */
    acquireByName: (name: string, isShared?: boolean) =>
      `select ${acquire(`'${name.replaceAll("'", "''")}'`, isShared)}`,
    /** A statement whose parameters are the names. */
    acquireAll: (locks: readonly Lock[]) =>
      `select ${locks.map(({ isShared }, index) => acquire(`$${index + 1}`, isShared)).join(', ')}`,
    readVersion: `select version from ${table}`,
  }
}
