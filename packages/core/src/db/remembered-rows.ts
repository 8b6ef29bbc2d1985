import type { RememberedQuery, Row } from '../kernel/store.ts'

/**
 * Tables that say who somebody is and what they may do: every call asks for them, few change them. Nothing else in the schema
 * changes them by the way, be it by a trigger or by a foreign key.
 */
export const rememberedTables: readonly string[] = [
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

const limit = 10_000
/** Whoever asks for the longest addresses there are shall not fill the memory with them. */
const longestText = 500

/** Answers by one value after the other: by the last one stand the rows. */
type Answers = Map<unknown, Answers | readonly Row[]>

const isLong = (value: unknown) => typeof value === 'string' && value.length > longestText

/** What queries over those tables answered, for as long as it stays true. */
export interface RememberedRows {
  /**
   * To be called when a snapshot or a transaction begins, with what stands for the time since another process has last
   * written. Returns what `keep` asks for of its calls in there.
   */
  renew(epoch: object): number
  /** Whether a statement that writes may make anything here untrue. */
  isTouchedBy(sql: string): boolean
  /** Rows of a query for the values of `key`, where they are known. Shared, and frozen: not to be handed out. */
  known(query: RememberedQuery, key: readonly unknown[]): readonly Row[] | undefined
  /** Keeps and freezes them, unless the snapshot they were read in, which began at `since`, is older than the newest one. */
  keep(query: RememberedQuery, key: readonly unknown[], since: number, rows: readonly Row[]): readonly Row[]
  /** To be called after the commit of what touched them. */
  forget(): void
}

/** @param prefix what the names of tables begin with */
export const rememberedRows = (prefix: string): RememberedRows => {
  const tables = new Set(rememberedTables.map((table) => prefix + table))
  /** By the query first. */
  const kept: Answers = new Map()
  const checked = new Set<RememberedQuery>()
  let count = 0
  let seen: object | undefined
  let generation = 0

  const clear = () => {
    kept.clear()
    count = 0
  }
  const forget = () => {
    clear()
    generation += 1
  }
  const check = (query: RememberedQuery) => {
    for (const [, table = ''] of query.sql.matchAll(/\b(?:from|join) "(\w+)"/g)) {
      if (!tables.has(table)) throw new Error(`What is read from ${table} is not remembered`)
    }
    checked.add(query)
  }
  return {
    forget,
    renew(epoch) {
      if (epoch !== seen) {
        seen = epoch
        forget()
      }
      return generation
    },
    isTouchedBy(sql) {
      const table = /^(?:insert into|update|delete from) "(\w+)"/.exec(sql)?.[1]
      // What is not understood is taken for a change.
      return table === undefined || tables.has(table)
    },
    known(query, key) {
      let found = kept.get(query)
      for (let at = 0; found && at < key.length; at++) found = (found as Answers).get(key[at])
      return found as readonly Row[] | undefined
    },
    keep(query, key, since, rows) {
      if (!checked.has(query)) check(query)
      if (since !== generation || key.some(isLong)) return rows
      if (count >= limit) clear()
      for (const row of rows) Object.freeze(row)
      let answers = kept
      let last: unknown = query
      for (const value of key) {
        const further = (answers.get(last) as Answers | undefined) ?? new Map()
        answers.set(last, further)
        answers = further
        last = value
      }
      answers.set(last, rows)
      count += 1
      return rows
    },
  }
}
