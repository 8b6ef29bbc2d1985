import { seed } from '@forgelet/core/seed'
import type { GrowthDatabase } from './databases.ts'

/** Rows per table with once the data. */
const base = 1_000

export const user = 'alice'
export const project = 'acme/home'

/** A different time for each copy, in the same order. */
const time =
  "'2026-01-' || (10 + n / 35000) || 'T' || (10 + n / 2500 % 14) || ':' || (10 + n / 50 % 50) || ':' || (10 + n % 50) || '.000Z'"
const times: Changes = { created_at: time, updated_at: time }

/** SQL expressions by column; `n` is the number of the copy. */
type Changes = Readonly<Record<string, string>>

/**
 * Rows per transaction. Triggers update one counter for all issues of a project; on PostgreSQL every update leaves a row version
 * behind that cannot be removed before the end of the transaction, and the next update has to pass all of them.
 */
const batch = 2_000

/** Executes the SQL of each batch of the numbers from 2 to `count`. */
const inBatches = async (database: GrowthDatabase, count: number, sqlOf: (from: number, to: number) => string) => {
  for (let from = 2; from <= count; from += batch)
    await database.execute(sqlOf(from, Math.min(from + batch - 1, count)))
}

/** Inserts copies of the first row of a table, numbered from 2 to `count`. */
const copyRows = async (database: GrowthDatabase, table: string, count: number, changes: Changes) => {
  const columns = await database.columns(table)
  const values = columns.map((column) => changes[column] ?? times[column] ?? `model.${column}`)
  await inBatches(
    database,
    count,
    (from, to) => `
      insert into "${table}" (${columns.join(', ')})
      with recursive number(n) as (select ${from} union all select n + 1 from number where n < ${to})
      select ${values.join(', ')} from number cross join "${table}" as model
      where model.id = (select min(id) from "${table}")`,
  )
}

/** Fills a database with `factor` times 1,000 members, labels, issues, notes, events and to-do items of one project, and other projects. */
export const fill = async (database: GrowthDatabase, factor: number): Promise<void> => {
  const { platform } = database
  await seed(platform, {
    users: [{ username: 'user1', email: 'user1@example.com' }, { username: user }],
    groups: [{ path: 'acme', members: [{ user, access: 'owner' }] }],
    projects: [
      {
        path: project,
        visibility: 'private',
        members: [{ user: 'user1', access: 'reporter' }],
        labels: [{ name: 'label 1', color: 'red' }],
        issues: [{ title: 'Issue 1', author: user, labels: ['label 1'] }],
      },
    ],
  })
  const session = platform.as({ user })
  await session.notes.create({ project, issue: 1, body: 'Note 1' })
  await session.todos.create({ project, issue: 1 })
  const count = base * factor
  const issue = `(select issue.id from issue where issue.project_id = model.project_id and issue.iid = n)`
  await copyRows(database, 'user', count, {
    username: "'user' || n",
    email: "'user' || n || '@example.com'",
  })
  await database.execute(`insert into member (project_id, user_id, access_level, created_at)
    select (select id from project), id, 20, '2026-01-01T00:00:00.000Z' from "user" where id > 2`)
  await copyRows(database, 'label', count, { name: "'label ' || n" })
  await copyRows(database, 'issue', count, { iid: 'n', title: "'Issue ' || n" })
  await inBatches(
    database,
    count,
    (from, to) => `
      insert into issue_label (issue_id, label_id)
      select issue.id, label.id from issue join label on label.project_id = issue.project_id
      and label.name = 'label ' || issue.iid where issue.iid between ${from} and ${to}`,
  )
  await copyRows(database, 'note', count, { body: "'Note ' || n" })
  await copyRows(database, 'todo', count, { issue_id: issue })
  await copyRows(database, 'event', count, {
    issue_id: issue,
    note_id: 'null',
    action: "'created'",
    target_kind: "'issue'",
  })
  await copyRows(database, 'project', count, { path: "'p' || n", full_path: "'acme/p' || n", name: "'P ' || n" })
  await database.execute(`update internal_id set last = ${count} where kind like '%issue%'`)
  await database.execute('analyze')
}
