import type { Handle } from '../kernel/store.ts'
import { contents } from './migrations/issue-counters.ts'
import { statement } from './statement.ts'

/** Something kept beside issues that is not what it must be. */
export interface WrongCounter {
  readonly table: string
  /** Rows that are missing, superfluous or different; each difference counts twice. Of an index of words: 1. */
  readonly rows: number
}

const wordIndexes = ['issue_title', 'issue_text']

const tables = ({ dialect }: Pick<Handle, 'dialect'>) => contents(dialect === 'sqlite')

/** Compares everything that is kept with what issues and links say now. Reads all of them: seconds for a million issues. */
export async function wrongCounters(handle: Pick<Handle, 'dialect' | 'db'>): Promise<readonly WrongCounter[]> {
  const wrong: WrongCounter[] = []
  for (const { table, columns, rows } of tables(handle)) {
    const kept = `select ${columns} from {${table}}`
    const { rows: found } = await statement<{ rows: number }>(
      `select count(*) as rows from (
        select * from (select * from (${kept}) as kept except select * from (${rows}) as right_ones) as superfluous
        union all
        select * from (select * from (${rows}) as right_ones except select * from (${kept}) as kept) as missing
      ) as differences`,
    ).execute(handle.db)
    const count = Number(found[0]?.rows)
    if (count) wrong.push({ table, rows: count })
  }
  if (handle.dialect === 'sqlite') {
    for (const table of wordIndexes) {
      try {
        await statement(`insert into {${table}} ({${table}}, rank) values ('integrity-check', 1)`).execute(handle.db)
      } catch (error) {
        if (!String((error as { code?: unknown }).code).startsWith('SQLITE_CORRUPT')) throw error
        wrong.push({ table, rows: 1 })
      }
    }
  }
  return wrong
}

/** Fills everything that is kept beside issues anew. Inside a transaction: counts are wrong while it runs. */
export async function rebuiltCounters(handle: Pick<Handle, 'dialect' | 'db'>): Promise<void> {
  for (const { table, columns, rows } of tables(handle)) {
    await statement(`delete from {${table}}`).execute(handle.db)
    await statement(`insert into {${table}} (${columns}) ${rows}`).execute(handle.db)
  }
  if (handle.dialect !== 'sqlite') return
  for (const table of wordIndexes)
    await statement(`insert into {${table}} ({${table}}) values ('rebuild')`).execute(handle.db)
}
