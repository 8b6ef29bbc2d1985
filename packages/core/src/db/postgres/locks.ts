import type { Lock } from '../../kernel/store.ts'

/** Whether a lock is among others, in the same mode. */
export const includesLock = (locks: readonly Lock[], { name, isShared = false }: Lock): boolean =>
  locks.some((lock) => lock.name === name && (lock.isShared ?? false) === isShared)

/** Held by every transaction: shared, or exclusively by one that excludes all others. */
export const instanceLock = 'instance'

/** SQL text of the locks and of the version of the cached tables, for the tables of one schema. */
export const createLockSql = (schema: string | undefined) => {
  const table = schema === undefined ? 'permission_version' : `"${schema}".permission_version`
  // Advisory locks belong to the whole database: the id of the table distinguishes installations in different schemas.
  const installation = `coalesce(to_regclass('${table}')::oid::bigint, 0)`
  /** @param formatName the SQL text of a name; PostgreSQL evaluates it in the order of the locks */
  const acquire = (locks: readonly Lock[], formatName: (name: string, index: number) => string) => {
    const calls = locks.map(({ name, isShared }, index) => {
      const key = `hashtextextended(${formatName(name, index)}, ${installation})`
      return `pg_advisory_xact_lock${isShared ? '_shared' : ''}(${key})`
    })
    return `select ${calls.join(', ')}`
  }
  return {
    /** A statement without parameters. */
    acquireByName: (locks: readonly Lock[]) => acquire(locks, (name) => `'${name.replaceAll("'", "''")}'`),
    /** A statement with the names as parameters. */
    acquireByParameter: (locks: readonly Lock[]) => acquire(locks, (_, index) => `$${index + 1}`),
    readVersion: `select version from ${table}`,
  }
}
