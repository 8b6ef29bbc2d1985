import { createPlatform, type Session, sqlite } from '@forgelet/core'
import { seed } from '@forgelet/core/seed'
import Database from 'better-sqlite3'
import { alternate, median, microseconds, pairedRatio } from '../measure.ts'
import { atMost, type Table } from '../table.ts'
import { progress, temporaryPath } from '../temporary-files.ts'

const sizes = { small: 1_000, large: 100_000 } as const
type Size = keyof typeof sizes
const names: readonly Size[] = ['small', 'large']

const rounds = 15
const calls = 20

const now = '2026-01-01T00:00:00.000Z'

/** Seeds a project, its owner and its first issue for each size; `fill` inserts the other rows. */
const createDataFile = async (path: string) => {
  const platform = createPlatform(sqlite(path, { durability: 'process' }))
  await seed(platform, {
    users: names.map((name) => ({ username: name })),
    projects: names.map((name) => ({
      path: `${name}/home`,
      visibility: 'private' as const,
      issues: [{ title: 'The first', author: name }],
    })),
  })
  await platform.close()
}

const fill = (file: Database.Database, size: Size) => {
  const count = sizes[size]
  const idOf = (sql: string) => file.prepare(sql).pluck().get(size) as number
  const user = idOf('select id from user where username = ?')
  const project = idOf("select id from project where full_path = ? || '/home'")
  const issue = idOf(
    "select issue.id from issue join project on project.id = project_id where full_path = ? || '/home'",
  )
  const numbers = `with recursive number(n) as (select 2 union all select n + 1 from number where n <= ${count})`
  file.exec(`
    insert into user (username, name, email, state, created_at, updated_at)
      ${numbers} select '${size}' || n, 'User ' || n, '${size}' || n || '@example.com', 'active', '${now}', '${now}' from number;
    insert into member (project_id, user_id, access_level, created_at)
      select ${project}, id, 20, '${now}' from user where username like '${size}_%';
    insert into issue (iid, project_id, author_id, title, state, created_at, updated_at)
      ${numbers} select n, ${project}, ${user}, 'Issue ' || n, 'opened', '${now}', '${now}' from number;
    insert into event (project_id, author_id, action, target_kind, issue_id, created_at)
      select ${project}, ${user}, 'created', 'issue', id, '${now}' from issue where project_id = ${project} and iid > 1;
    insert into todo (user_id, author_id, project_id, issue_id, action, state, created_at, updated_at)
      select ${user}, ${user}, ${project}, id, 'assigned', 'pending', '${now}', '${now}'
        from issue where project_id = ${project} and iid > 1;
    insert into note (issue_id, author_id, body, system, created_at, updated_at)
      ${numbers} select ${issue}, ${user}, 'Note ' || n, 0, '${now}', '${now}' from number;`)
}

type List = (session: Session, size: Size) => Promise<unknown>

const lists: Readonly<Record<string, List>> = {
  members: (session, size) => session.members.list({ project: `${size}/home` }),
  'members, including inherited ones': (session, size) =>
    session.members.list({ project: `${size}/home`, inherited: true }),
  'events of a project': (session, size) => session.events.list({ project: `${size}/home` }),
  'events of a user': (session, size) => session.events.list({ user: size }),
  todos: (session) => session.todos.list(),
  notes: (session, size) => session.notes.list({ project: `${size}/home`, issue: 1 }),
}

/** The first page of lists with 1,000 and 100,000 rows: its cost must not depend on the length of the list. */
export async function pagedLists(): Promise<Table[]> {
  const path = temporaryPath('lists.db')
  progress('lists: inserting 100,000 rows each')
  await createDataFile(path)
  const file = new Database(path)
  file.transaction(() => {
    for (const size of names) fill(file, size)
  })()
  file.exec('analyze')
  file.close()
  const platform = createPlatform(sqlite(path, { durability: 'process' }))
  const lines = []
  for (const [what, list] of Object.entries(lists)) {
    progress(what)
    const measure = (size: Size) => microseconds(calls, () => list(platform.as({ user: size }), size))
    for (const size of names) await measure(size)
    const times = await alternate(names, rounds, measure)
    const ratio = pairedRatio(times.large, times.small)
    lines.push(atMost(what, [median(times.small) / 1_000, median(times.large) / 1_000, ratio], ratio, 3))
  }
  await platform.close()
  return [
    {
      title: 'Page 1 of a list with 1,000 and with 100,000 rows, milliseconds',
      reference: 'the same list with 1,000 rows',
      columns: ['1,000', '100,000', 'ratio'],
      lines,
    },
  ]
}
