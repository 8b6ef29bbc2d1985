import type { Handle } from '../../kernel/store.ts'
import { getErrorCode } from '../../shared/error-code.ts'
import { statement } from '../statement.ts'
import { countColumns, countValues, tallyLinks, tallySubjects } from './columns.ts'
import { expectedNoteCounts } from './note-counts.ts'
import { fullTextIndexes } from './schema.ts'

/** A table that triggers maintain, and the query for the rows it must contain. Names in braces are those of `statement`. */
interface CounterTable {
  readonly table: string
  readonly columns: string
  readonly rows: string
}

const columns = countColumns.join(', ')

const counts = countValues('issue')
  .map((value) => `sum(${value})`)
  .join(', ')

const counterTables: readonly CounterTable[] = [
  {
    table: 'issue_fact',
    columns: 'issue_id, project_id, closed, confidential',
    rows: `select id, project_id, state = 'closed', confidential from {issue}`,
  },
  {
    table: 'issue_count',
    columns: `project_id, namespace_id, visibility, issues_access_level, ${columns}`,
    rows: `select project.id, project.namespace_id, project.visibility, project.issues_access_level, ${counts}
      from {issue} as issue join {project} as project on project.id = issue.project_id
      group by project.id, project.namespace_id, project.visibility, project.issues_access_level`,
  },
  {
    table: 'issue_tally',
    columns: `kind, subject_id, project_id, ${columns}`,
    rows: [
      ...tallyLinks.map(
        ({ table, subject, kind }) => `select ${kind}, link.${subject}, issue.project_id, ${counts}
    from {${table}} as link join {issue} as issue on issue.id = link.issue_id group by link.${subject}, issue.project_id`,
      ),
      ...tallySubjects.map(
        ({ subject, kind }) => `select ${kind}, issue.${subject}, issue.project_id, ${counts}
    from {issue} as issue where issue.${subject} is not null group by issue.${subject}, issue.project_id`,
      ),
    ].join(' union all '),
  },
  { table: 'note_count', columns: 'kind, item_id, public, internal', rows: expectedNoteCounts },
]

/** SQLite only: label and issue id in one integer. */
const labelKeyTable: CounterTable = {
  table: 'issue_label_key',
  columns: 'link',
  rows: 'select label_id << 32 | issue_id from {issue_label}',
}

type MaintenanceHandle = Pick<Handle, 'dialect' | 'db'>

const getCounterTables = ({ dialect }: MaintenanceHandle) =>
  dialect === 'sqlite' ? [...counterTables, labelKeyTable] : counterTables

/** A table maintained by triggers whose rows do not match what they count. */
export interface WrongCounter {
  readonly table: string
  /** Rows that are missing, superfluous or different; a different row counts twice. Always 1 for a full-text index. */
  readonly rows: number
}

/**
 * Compares the counters, facts and full-text indexes that triggers maintain with the issues, their links and all notes, and returns
 * the tables that differ. Reads all of them: seconds for a million. Requires a handle that may write, because SQLite checks a
 * full-text index by a writing statement.
 */
export async function verifyCounters(handle: MaintenanceHandle): Promise<readonly WrongCounter[]> {
  const wrong: WrongCounter[] = []
  for (const { table, columns, rows } of getCounterTables(handle)) {
    const stored = `select ${columns} from {${table}}`
    const { rows: result } = await statement<{ rows: number }>(
      `select count(*) as rows from (
        select * from (select * from (${stored}) as stored except select * from (${rows}) as expected) as superfluous
        union all
        select * from (select * from (${rows}) as expected except select * from (${stored}) as stored) as missing
      ) as differences`,
    ).execute(handle.db)
    const count = Number(result[0]?.rows)
    if (count) wrong.push({ table, rows: count })
  }
  if (handle.dialect === 'sqlite') {
    for (const { table } of fullTextIndexes) {
      try {
        await statement(`insert into {${table}} ({${table}}, rank) values ('integrity-check', 1)`).execute(handle.db)
      } catch (error) {
        if (!getErrorCode(error).startsWith('SQLITE_CORRUPT')) throw error
        wrong.push({ table, rows: 1 })
      }
    }
  }
  return wrong
}

/**
 * Rebuilds the counters, facts and full-text indexes, for data that was written while the triggers were off. Run it in a
 * transaction: counts are wrong until it is finished.
 */
export async function rebuildCounters(handle: MaintenanceHandle): Promise<void> {
  for (const { table, columns, rows } of getCounterTables(handle)) {
    await statement(`delete from {${table}}`).execute(handle.db)
    await statement(`insert into {${table}} (${columns}) ${rows}`).execute(handle.db)
  }
  if (handle.dialect !== 'sqlite') return
  for (const { table } of fullTextIndexes)
    await statement(`insert into {${table}} ({${table}}) values ('rebuild')`).execute(handle.db)
}
