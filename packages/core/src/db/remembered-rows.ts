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

/** What is known for the values so far, and by the one after them. */
interface Answers {
  rows: readonly Row[] | undefined
  by: Map<unknown, Answers> | undefined
}

const nothing = (): Answers => ({ rows: undefined, by: undefined })

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
  const kept = new Map<RememberedQuery, Answers>()
  let count = 0
  let seen: object | undefined
  let generation = 0

  const clear = () => {
    for (const answers of kept.values()) Object.assign(answers, nothing())
    count = 0
  }
  const forget = () => {
    clear()
    generation += 1
  }
  const answersOf = (query: RememberedQuery) => {
    const known = kept.get(query)
    if (known) return known
    for (const [, table = ''] of query.sql.matchAll(/\b(?:from|join) "(\w+)"/g)) {
      if (!tables.has(table)) throw new Error(`What is read from ${table} is not remembered`)
    }
    const answers = nothing()
    kept.set(query, answers)
    return answers
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
      let answers: Answers | undefined = answersOf(query)
      for (let at = 0; answers && at < key.length; at++) answers = answers.by?.get(key[at])
      return answers?.rows
    },
    keep(query, key, since, rows) {
      if (since !== generation || key.some(isLong)) return rows
      if (count >= limit) clear()
      for (const row of rows) Object.freeze(row)
      let answers = answersOf(query)
      for (const value of key) {
        answers.by ??= new Map()
        const further = answers.by.get(value) ?? nothing()
        answers.by.set(value, further)
        answers = further
      }
      answers.rows = rows
      count += 1
      return rows
    },
  }
}
