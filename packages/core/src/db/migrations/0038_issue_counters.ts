import { isPostgres, type Schema } from '../columns.ts'
import { statement } from '../statement.ts'
import { contents, type Trigger, triggers } from './issue-counters.ts'

const number = 'integer not null default 0'

const tables = (id: string) => [
  `create table {issue_fact} (issue_id ${id} primary key, project_id bigint not null, closed boolean not null,
    confidential boolean not null)`,
  `create table {issue_count} (project_id ${id} primary key, namespace_id bigint not null, visibility text not null, issues_access_level text not null,
    opened ${number}, closed ${number}, secret_opened ${number}, secret_closed ${number})`,
]

const tally = `create table {issue_tally} (kind smallint not null, subject_id bigint not null, project_id bigint not null,
  opened ${number}, closed ${number}, secret_opened ${number}, secret_closed ${number},
  primary key (kind, subject_id, project_id))`

/** Links by themselves: the table is its own index, and its other index holds nothing else. */
const links = [
  { table: 'issue_label', to: 'label' },
  { table: 'issue_assignee', to: 'user' },
] as const

const slim = ({ table, to }: (typeof links)[number]) => [
  `create table {${table}_slim} (
    issue_id bigint not null references {issue} (id) on delete cascade,
    ${to}_id bigint not null references {${to}} (id) on delete cascade,
    primary key (issue_id, ${to}_id)) without rowid`,
  `insert into {${table}_slim} (issue_id, ${to}_id) select issue_id, ${to}_id from {${table}} order by 1, 2`,
  `drop table {${table}}`,
  `alter table {${table}_slim} rename to {${table}}`,
]

/** Titles apart: most searches of long lists ask for them alone, and reading both costs several times as much. */
const words = [
  { table: 'issue_title', columns: ['title'] },
  // The longer column first: only what follows the first is marked in the index.
  { table: 'issue_text', columns: ['description', 'title'] },
]

const wordTable = ({ table, columns }: (typeof words)[number]) => [
  `create virtual table {${table}} using fts5(
    ${columns.join(', ')}, content = {issue}, content_rowid = 'id', tokenize = 'trigram', columnsize = 0)`,
  `insert into {${table}} ({${table}}) values ('rebuild')`,
]

const wordTriggers = ({ table, columns }: (typeof words)[number]): Trigger[] => {
  const values = (row: string) => [`${row}.id`, ...columns.map((column) => `${row}.${column}`)].join(', ')
  const insert = `insert into {${table}} (rowid, ${columns.join(', ')}) values (${values('new')});`
  const remove = `insert into {${table}} ({${table}}, rowid, ${columns.join(', ')}) values ('delete', ${values('old')});`
  const changed = columns.map((column) => `old.${column} is not new.${column}`).join(' or ')
  return [
    { name: `${table}_added`, event: 'after insert on {issue}', body: insert },
    { name: `${table}_removed`, event: 'after delete on {issue}', body: remove },
    {
      name: `${table}_reworded`,
      event: `after update of ${columns.join(', ')} on {issue}`,
      when: changed,
      body: remove + insert,
    },
  ]
}

const onSqlite = ({ name, event, when, body }: Trigger) => [
  `create trigger {#${name}} ${event} ${when ? `when ${when}` : ''} begin ${body} end`,
]

/** What a `before` trigger returns is what happens. */
const answer = (event: string) =>
  event.startsWith('before delete') ? 'old' : event.startsWith('before') ? 'new' : 'null'

const onPostgres = ({ name, event, when, body }: Trigger) => [
  `create function {${name}}() returns trigger language plpgsql as $$ begin ${body} return ${answer(event)}; end $$`,
  `create trigger {#${name}} ${event} for each row ${when ? `when (${when})` : ''} execute function {${name}}()`,
]

const indexes = [
  'create index {#issue_author} on {issue} (author_id)',
  'create index {#issue_milestone} on {issue} (milestone_id) where milestone_id is not null',
  // What somebody has written in confidence is read by them wherever it stands: few of many.
  'create index {#issue_secret} on {issue} (author_id) where confidential = true',
  'create index {#issue_created} on {issue} (created_at)',
  'create index {#issue_updated} on {issue} (updated_at)',
  'create index {#issue_closed_by} on {issue} (closed_by_id) where closed_by_id is not null',
  ...links.map(({ table, to }) => `create index {#${table}_${to}} on {${table}} (${to}_id, issue_id)`),
]
const replaced = ['author', 'milestone', 'created', 'updated', 'closed_by', 'project']

const sqlite = (): string[] => [
  ...[
    'issue_label_facts',
    'issue_assignee_facts',
    'issue_added',
    'issue_removed',
    'issue_changed',
    'issue_reworded',
  ].map((name) => `drop trigger {#${name}}`),
  'drop table {issue_text}',
  'drop table {issue_count}',
  ...replaced.map((name) => `drop index {issue_${name}}`),
  ...links.flatMap(slim),
  ...tables('integer'),
  `${tally} without rowid`,
  'create table {issue_label_key} (link integer primary key)',
  ...indexes,
  ...words.flatMap(wordTable),
]

const postgres = (): string[] => [
  ...links.map(({ table }) => `drop trigger {#${table}_facts} on {${table}}`),
  'drop trigger {#issue_added_or_removed} on {issue}',
  'drop trigger {#issue_changed} on {issue}',
  'drop function {issue_link_facts}()',
  'drop function {issue_facts}()',
  'drop table {issue_count}',
  ...replaced.map((name) => `drop index {issue_${name}}`),
  ...links.flatMap(({ table, to }) => [
    `drop index {${table}_${to}}`,
    `alter table {${table}} drop column project_id, drop column state, drop column confidential`,
  ]),
  ...tables('bigint'),
  tally,
  ...indexes,
]

/** Counters for whatever is counted most, and one narrow row for each issue in place of copies on its links and indexes. */
export async function up(db: Schema): Promise<void> {
  const onServer = isPostgres(db)
  const filled = contents(!onServer).map(({ table, columns, rows }) => `insert into {${table}} (${columns}) ${rows}`)
  const kept = onServer
    ? triggers(false).flatMap(onPostgres)
    : [...triggers(true), ...words.flatMap(wordTriggers)].flatMap(onSqlite)
  for (const text of [...(onServer ? postgres() : sqlite()), ...filled, ...kept]) {
    await statement(text).execute(db)
  }
}
