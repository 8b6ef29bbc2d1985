import { createRequire } from 'node:module'
import { createPlatform, sqlite } from '@forgelet/core'
import type Sqlite from 'better-sqlite3'
import { instance } from '../../packages/core/src/access/subjects.ts'
import { rebuildCounters } from '../../packages/core/src/db/counters/verify.ts'
import { command } from '../../packages/core/src/kernel/operation.ts'
import { progress, temporaryPath } from './temporary-files.ts'

const Database = createRequire(import.meta.url)('better-sqlite3') as typeof Sqlite

/** All projects are private. `reader` is a member of half of the groups and sees half of the projects. */
export const size = {
  issues: 1_000_000,
  groups: 20,
  projects: 2_000,
  users: 5_000,
  labels: 200,
  milestones: 500,
} as const
export const reader = 'user7'
/** A project of `reader` with many issues, by id. */
export const busiest = 2

/** A pseudo-random generator with the same sequence in every run. */
const random = (() => {
  let state = 20_261_121
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
})()
/** A number from 1 to `count`; small numbers are much more frequent. */
const skewed = (count: number) => 1 + Math.floor(count * random() ** 3)

const syllables = [
  'ba',
  'ce',
  'di',
  'fo',
  'gu',
  'ha',
  'je',
  'ki',
  'lo',
  'mu',
  'na',
  'pe',
  'ri',
  'so',
  'tu',
  'va',
  'we',
  'xi',
  'yo',
  'zu',
]
const syllable = (at: number) => syllables[at % syllables.length] as string
/** Words of two to four syllables, most frequent first. */
const words = Array.from({ length: 2_000 }, (_, at) =>
  [at, Math.floor(at / 20), Math.floor(at / 7), Math.floor(at / 3)]
    .slice(0, 2 + (at % 3))
    .map(syllable)
    .join(''),
)
export const word = (at: number): string => words[at] as string
const text = (length: number) => Array.from({ length }, () => words[skewed(words.length) - 1]).join(' ')

const day = 86_400_000
const firstDay = Date.parse('2020-01-01T00:00:00Z')
const instant = () => new Date(firstDay + Math.floor(random() * 2_000 * day)).toISOString()

const at = '2026-11-21T12:00:00.000Z'
const stamp = `'${at}', '${at}'`
const upTo = (count: number) =>
  `with recursive number(n) as (select 1 union all select n + 1 from number where n < ${count})`

/** Group 1 contains all other groups, the labels and the milestones; project n is in group 2 + n % 20. */
const surroundingRows = `
  ${upTo(size.users)} insert into user (id, username, name, email, state, created_at, updated_at)
    select n, 'user' || n, 'User ' || n, 'user' || n || '@example.com', 'active', ${stamp} from number;
  ${upTo(size.groups + 1)} insert into namespace
    (id, kind, parent_id, name, path, full_name, full_path, visibility, created_at, updated_at)
    select n, 'group', iif(n = 1, null, 1), 'group' || n, 'group' || n, 'group' || n,
      iif(n = 1, 'group1', 'group1/group' || n), 'private', ${stamp} from number;
  insert into namespace_lineage select id, id, 0 from namespace;
  insert into namespace_lineage select id, 1, 1 from namespace where id > 1;
  ${upTo(size.projects)} insert into project
    (id, namespace_id, name, path, full_path, visibility, default_branch, issues_access_level,
     merge_requests_access_level, repository_access_level, snippets_access_level, created_at, updated_at, last_activity_at)
    select n, 2 + n % ${size.groups}, 'project' || n, 'project' || n,
      'group1/group' || (2 + n % ${size.groups}) || '/project' || n, 'private', 'main',
      'enabled', 'enabled', 'enabled', 'enabled', ${stamp}, '${at}' from number;
  insert into member (group_id, user_id, access_level, created_at)
    select id, 7, 30, '${at}' from namespace where id > 1 and id % 2 = 0;
  ${upTo(size.labels)} insert into label (id, group_id, name, color, created_at, updated_at)
    select n, 1, 'label ' || n, '#428BCA', ${stamp} from number;
  ${upTo(size.milestones)} insert into milestone (id, iid, group_id, title, state, created_at, updated_at)
    select n, n, 1, 'milestone ' || n, 'active', ${stamp} from number;`

const insertIssues = (file: Sqlite.Database) => {
  const issue =
    file.prepare(`insert into issue (id, iid, project_id, author_id, title, description, state, confidential,
    milestone_id, created_at, updated_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const label = file.prepare('insert or ignore into issue_label values (?, ?)')
  const assignee = file.prepare('insert or ignore into issue_assignee values (?, ?)')
  for (let id = 1; id <= size.issues; id++) {
    if (id % 200_000 === 0) progress(`statistics: ${id.toLocaleString('en')} issues`)
    const project = skewed(size.projects)
    const state = random() < 0.3 ? 'opened' : 'closed'
    const secret = random() < 0.01 ? 1 : 0
    const milestone = random() < 0.4 ? skewed(size.milestones) : null
    const created = instant()
    issue.run(id, id, project, skewed(size.users), text(5), text(12), state, secret, milestone, created, created)
    for (let more = random() * 3; more > 1; more--) label.run(id, skewed(size.labels))
    if (random() < 0.6) assignee.run(id, skewed(size.users))
  }
}

interface SchemaObject {
  readonly type: string
  readonly name: string
  readonly sql: string
}

const insertInBulk = (file: Sqlite.Database) => {
  const dropped = file
    .prepare(
      `select type, name, sql from sqlite_master where sql is not null and type in ('index', 'trigger')
       and tbl_name in ('issue', 'issue_label', 'issue_assignee')`,
    )
    .all() as SchemaObject[]
  file.pragma('foreign_keys = off')
  file.pragma('synchronous = off')
  file.pragma('cache_size = -200000')
  file.exec('begin')
  for (const { type, name } of dropped) file.exec(`drop ${type} ${name}`)
  file.exec(surroundingRows)
  insertIssues(file)
  progress('statistics: indexes')
  for (const { type, sql } of dropped) if (type === 'index') file.exec(sql)
  for (const { type, sql } of dropped) if (type === 'trigger') file.exec(sql)
  file.exec('commit')
}

/** The indexes of the comparison database. */
const plainIndexes = `
  create index issue_project on issue (project_id); create index issue_author on issue (author_id);
  create index issue_milestone on issue (milestone_id); create index issue_state on issue (state);
  create index issue_label_label on issue_label (label_id, issue_id);
  create index issue_assignee_user on issue_assignee (user_id, issue_id);
  create index project_namespace on project (namespace_id); create index label_name on label (name);
  create index member_user on member (user_id); create index lineage on namespace_lineage (ancestor_id);`

const createPlain = (path: string, source: string) => {
  const file = new Database(path)
  file.pragma('synchronous = off')
  file.exec(`attach '${source}' as source;
    create table issue (id integer primary key, project_id integer, author_id integer, title text, description text,
      state text, confidential integer, milestone_id integer, created_at text, updated_at text);
    insert into issue select id, project_id, author_id, title, description, state, confidential, milestone_id, created_at,
      updated_at from source.issue;
    create table issue_label (issue_id integer, label_id integer, primary key (issue_id, label_id)) without rowid;
    insert into issue_label select issue_id, label_id from source.issue_label;
    create table issue_assignee (issue_id integer, user_id integer, primary key (issue_id, user_id)) without rowid;
    insert into issue_assignee select issue_id, user_id from source.issue_assignee;
    create table project (id integer primary key, namespace_id integer);
    insert into project select id, namespace_id from source.project;
    create table label (id integer primary key, name text); insert into label select id, name from source.label;
    create table milestone (id integer primary key, title text); insert into milestone select id, title from source.milestone;
    create table member (group_id integer, user_id integer, access_level integer);
    insert into member select group_id, user_id, access_level from source.member;
    create table namespace_lineage (namespace_id integer, ancestor_id integer);
    insert into namespace_lineage select namespace_id, ancestor_id from source.namespace_lineage;
    detach source;`)
  const bytes = Number(file.pragma('page_count', { simple: true })) * Number(file.pragma('page_size', { simple: true }))
  file.exec(plainIndexes)
  file.close()
  return bytes
}

const rebuildOperation = command({ on: instance, can: 'user.manage', run: (ctx) => rebuildCounters(ctx) })

const rebuild = async (path: string) => {
  const platform = createPlatform(sqlite(path, { durability: 'process' }))
  await platform.as({ system: 'bench' }).run(rebuildOperation, {})
  await platform.close()
}

export interface MillionIssues {
  /** The path of a platform's data file. */
  readonly ours: string
  /** The path of a database with the same rows and plain indexes. */
  readonly plain: string
  /** The size of the tables without indexes, in bytes. */
  readonly tables: number
}

/** Creates a million issues in a platform's data file, and a second database with the same rows and plain indexes. */
export async function createMillionIssues(): Promise<MillionIssues> {
  const [ours, plain] = [temporaryPath('issues.db'), temporaryPath('plain-issues.db')]
  const platform = createPlatform(sqlite(ours, { durability: 'process' }))
  await platform.ready()
  await platform.close()
  const file = new Database(ours)
  insertInBulk(file)
  file.close()
  progress('statistics: counters and full-text indexes')
  await rebuild(ours)
  const rebuilt = new Database(ours)
  rebuilt.pragma('wal_checkpoint(truncate)')
  rebuilt.close()
  progress('statistics: plain indexes')
  return { ours, plain, tables: createPlain(plain, ours) }
}
