import { isPostgres, type MigrationDatabase } from '../schema/columns.ts'
import { statement } from '../statement.ts'

const sums = ['opened', 'closed', 'secret_opened', 'secret_closed'] as const

/** Values of `issue_tally.kind`: the table that `subject_id` refers to. */
const tallyKinds = { label: 1, assignee: 2, author: 3, milestone: 4 } as const

const one = (condition: string) => `case when ${condition} then 1 else 0 end`

/** Four columns with a single 1 among them, of a row that has `state` and `confidential`. */
const single = (row: string) =>
  [
    one(`${row}.state = 'opened' and not ${row}.confidential`),
    one(`${row}.state = 'closed' and not ${row}.confidential`),
    one(`${row}.state = 'opened' and ${row}.confidential`),
    one(`${row}.state = 'closed' and ${row}.confidential`),
  ] as const

const counted = (row: string) =>
  single(row)
    .map((expression) => `sum(${expression})`)
    .join(', ')

const addUp = (table: string) => sums.map((sum) => `${sum} = {${table}}.${sum} + excluded.${sum}`).join(', ')
const takeAway = (row: string) => sums.map((sum, at) => `${sum} = ${sum} - (${single(row)[at]})`).join(', ')

const nothing = `${sums.join(' + ')} = 0`

const links = [
  { table: 'issue_label', subject: 'label_id', kind: tallyKinds.label },
  { table: 'issue_assignee', subject: 'user_id', kind: tallyKinds.assignee },
] as const

const subjectColumns = [
  { subject: 'author_id', kind: tallyKinds.author },
  { subject: 'milestone_id', kind: tallyKinds.milestone },
] as const

const moreTally = (kind: number, subject: string, row: string, from: string, where: string) => `
  insert into {issue_tally} (kind, subject_id, project_id, ${sums.join(', ')})
  select ${kind}, ${subject}, ${row}.project_id, ${single(row).join(', ')} from ${from} where ${where}
  on conflict (kind, subject_id, project_id) do update set ${addUp('issue_tally')};`

/** Deletes rows whose counts have all become 0. */
const fewerTally = (kind: number, subjects: string, row: string) => {
  const where = `kind = ${kind} and subject_id ${subjects} and project_id = ${row}.project_id`
  return `
  update {issue_tally} set ${takeAway(row)} where ${where};
  delete from {issue_tally} where ${where} and ${nothing};`
}

const moreIssue = `
  insert into {issue_count} (project_id, namespace_id, visibility, issues_access_level)
  select id, namespace_id, visibility, issues_access_level from {project} where id = new.project_id
  on conflict (project_id) do nothing;
  update {issue_count} set ${sums.map((sum, at) => `${sum} = ${sum} + (${single('new')[at]})`).join(', ')}
  where project_id = new.project_id;
  ${subjectColumns
    .map(({ kind, subject }) =>
      moreTally(kind, `new.${subject}`, 'new', '(select 1 as one) as once', `new.${subject} is not null`),
    )
    .join('')}`

const fewerIssue = `
  update {issue_count} set ${takeAway('old')} where project_id = old.project_id;
  delete from {issue_count} where project_id = old.project_id and ${nothing};
  ${subjectColumns.map(({ kind, subject }) => fewerTally(kind, `= old.${subject}`, 'old')).join('')}`

const linksOf = (row: string, { table, subject }: (typeof links)[number]) =>
  `in (select ${subject} from {${table}} where issue_id = ${row}.id)`

const watched = ['project_id', 'state', 'confidential', 'author_id', 'milestone_id'] as const
const isNew = (names: readonly string[]) =>
  names.map((column) => `old.${column} is distinct from new.${column}`).join(' or ')

interface Trigger {
  readonly name: string
  readonly event: string
  readonly when?: string
  readonly body: string
}

const moreLink = (kind: number, subject: string) =>
  moreTally(kind, `new.${subject}`, 'issue', '{issue} as issue', 'issue.id = new.issue_id')

/** Changes nothing when the `issue_fact` row is gone: the deletion of the issue has already subtracted its links. */
const fewerLink = (kind: number, subject: string) => {
  const where = `kind = ${kind} and subject_id = old.${subject}
    and project_id = (select project_id from {issue_fact} where issue_id = old.issue_id)`
  const fact = (closed: boolean, confidential: boolean) =>
    `(select count(*) from {issue_fact} where issue_id = old.issue_id and ${closed ? '' : 'not '}closed
      and ${confidential ? '' : 'not '}confidential)`
  return `
  update {issue_tally} set opened = opened - ${fact(false, false)}, closed = closed - ${fact(true, false)},
    secret_opened = secret_opened - ${fact(false, true)}, secret_closed = secret_closed - ${fact(true, true)}
  where ${where};
  delete from {issue_tally} where ${where} and ${nothing};`
}

/**
 * Counts are subtracted in `before` triggers: a cascade on PostgreSQL runs its `after` triggers only once all rows are
 * deleted, in an unspecified order.
 *
 * @param keys also maintain `issue_label_key` (label and issue id in one integer), which is faster on SQLite only
 */
const triggers = (keys: boolean): readonly Trigger[] => [
  {
    name: 'issue_added',
    event: 'after insert on {issue}',
    body: `
  insert into {issue_fact} (issue_id, project_id, closed, confidential)
  values (new.id, new.project_id, new.state = 'closed', new.confidential);
  ${moreIssue}`,
  },
  {
    name: 'issue_removed',
    event: 'before delete on {issue}',
    body: `${fewerIssue}
  ${links.map((link) => fewerTally(link.kind, linksOf('old', link), 'old')).join('')}
  delete from {issue_fact} where issue_id = old.id;`,
  },
  {
    name: 'issue_changed',
    event: `before update of ${watched.join(', ')} on {issue}`,
    when: isNew(watched),
    body: `
  ${fewerIssue}
  ${moreIssue}
  ${links.map((link) => fewerTally(link.kind, linksOf('old', link), 'old')).join('')}
  ${links
    .map(({ table, subject, kind }) =>
      moreTally(kind, `link.${subject}`, 'new', `{${table}} as link`, 'link.issue_id = new.id'),
    )
    .join('')}
  update {issue_fact} set project_id = new.project_id, closed = (new.state = 'closed'), confidential = new.confidential
  where issue_id = new.id;`,
  },
  {
    name: 'issue_count_judged',
    event: 'after update of namespace_id, visibility, issues_access_level on {project}',
    body: `
  update {issue_count} set namespace_id = new.namespace_id, visibility = new.visibility,
    issues_access_level = new.issues_access_level
  where project_id = new.id;`,
  },
  ...links.flatMap(({ table, subject, kind }) => {
    const keyed = keys && table === 'issue_label'
    const more =
      moreLink(kind, subject) +
      (keyed ? 'insert into {issue_label_key} (link) values (new.label_id << 32 | new.issue_id);' : '')
    const fewer =
      fewerLink(kind, subject) +
      (keyed ? 'delete from {issue_label_key} where link = (old.label_id << 32 | old.issue_id);' : '')
    return [
      { name: `${table}_added`, event: `after insert on {${table}}`, body: more },
      { name: `${table}_removed`, event: `before delete on {${table}}`, body: fewer },
      { name: `${table}_turned`, event: `before update of issue_id, ${subject} on {${table}}`, body: fewer + more },
    ]
  }),
]

/** The queries that fill each table. */
const contents = (keys: boolean): readonly { table: string; columns: string; rows: string }[] => [
  {
    table: 'issue_fact',
    columns: 'issue_id, project_id, closed, confidential',
    rows: `select id, project_id, state = 'closed', confidential from {issue}`,
  },
  {
    table: 'issue_count',
    columns: `project_id, namespace_id, visibility, issues_access_level, ${sums.join(', ')}`,
    rows: `select project.id, project.namespace_id, project.visibility, project.issues_access_level, ${counted('issue')}
      from {issue} as issue join {project} as project on project.id = issue.project_id
      group by project.id, project.namespace_id, project.visibility, project.issues_access_level`,
  },
  {
    table: 'issue_tally',
    columns: `kind, subject_id, project_id, ${sums.join(', ')}`,
    rows: [
      ...links.map(
        ({ table, subject, kind }) => `select ${kind}, link.${subject}, issue.project_id, ${counted('issue')}
          from {${table}} as link join {issue} as issue on issue.id = link.issue_id group by link.${subject}, issue.project_id`,
      ),
      ...subjectColumns.map(
        ({ subject, kind }) => `select ${kind}, issue.${subject}, issue.project_id, ${counted('issue')}
          from {issue} as issue where issue.${subject} is not null group by issue.${subject}, issue.project_id`,
      ),
    ].join(' union all '),
  },
  ...(keys
    ? [{ table: 'issue_label_key', columns: 'link', rows: 'select label_id << 32 | issue_id from {issue_label}' }]
    : []),
]

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

/** The link tables, rebuilt without rowid: the primary key is the table, and the other index needs no extra columns. */
const linkTables = [
  { table: 'issue_label', to: 'label' },
  { table: 'issue_assignee', to: 'user' },
] as const

const slim = ({ table, to }: (typeof linkTables)[number]) => [
  `create table {${table}_slim} (
    issue_id bigint not null references {issue} (id) on delete cascade,
    ${to}_id bigint not null references {${to}} (id) on delete cascade,
    primary key (issue_id, ${to}_id)) without rowid`,
  `insert into {${table}_slim} (issue_id, ${to}_id) select issue_id, ${to}_id from {${table}} order by 1, 2`,
  `drop table {${table}}`,
  `alter table {${table}_slim} rename to {${table}}`,
]

/** Titles have an index of their own: most searches of long lists use only titles, and reading both is several times slower. */
const words = [
  { table: 'issue_title', columns: ['title'] },
  // The longer column first: FTS5 stores column markers only for columns after the first.
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

/** The return value of the trigger function: a `before` trigger has to return the row to continue. */
const returnValue = (event: string) =>
  event.startsWith('before delete') ? 'old' : event.startsWith('before') ? 'new' : 'null'

const onPostgres = ({ name, event, when, body }: Trigger) => [
  `create function {${name}}() returns trigger language plpgsql as $$ begin ${body} return ${returnValue(event)}; end $$`,
  `create trigger {#${name}} ${event} for each row ${when ? `when (${when})` : ''} execute function {${name}}()`,
]

const indexes = [
  'create index {#issue_author} on {issue} (author_id)',
  'create index {#issue_milestone} on {issue} (milestone_id) where milestone_id is not null',
  // Authors read their own confidential issues in every project: few rows of many.
  'create index {#issue_secret} on {issue} (author_id) where confidential = true',
  'create index {#issue_created} on {issue} (created_at)',
  'create index {#issue_updated} on {issue} (updated_at)',
  'create index {#issue_closed_by} on {issue} (closed_by_id) where closed_by_id is not null',
  ...linkTables.map(({ table, to }) => `create index {#${table}_${to}} on {${table}} (${to}_id, issue_id)`),
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
  ...linkTables.flatMap(slim),
  ...tables('integer'),
  `${tally} without rowid`,
  'create table {issue_label_key} (link integer primary key)',
  ...indexes,
  ...words.flatMap(wordTable),
]

const postgres = (): string[] => [
  ...linkTables.map(({ table }) => `drop trigger {#${table}_facts} on {${table}}`),
  'drop trigger {#issue_added_or_removed} on {issue}',
  'drop trigger {#issue_changed} on {issue}',
  'drop function {issue_link_facts}()',
  'drop function {issue_facts}()',
  'drop table {issue_count}',
  ...replaced.map((name) => `drop index {issue_${name}}`),
  ...linkTables.flatMap(({ table, to }) => [
    `drop index {${table}_${to}}`,
    `alter table {${table}} drop column project_id, drop column state, drop column confidential`,
  ]),
  ...tables('bigint'),
  tally,
  ...indexes,
]

/**
 * Adds issue counters maintained by triggers, and one narrow row per issue instead of copies in its links and indexes.
 *
 * - `issue_fact`: the columns that counts filter by, in as few bytes as possible
 * - `issue_count`: issues per project, with the columns that decide who can read them
 * - `issue_tally`: the same counts per label, assignee, author and milestone of each project
 */
export async function up(db: MigrationDatabase): Promise<void> {
  const onServer = isPostgres(db)
  const filled = contents(!onServer).map(({ table, columns, rows }) => `insert into {${table}} (${columns}) ${rows}`)
  const kept = onServer
    ? triggers(false).flatMap(onPostgres)
    : [...triggers(true), ...words.flatMap(wordTriggers)].flatMap(onSqlite)
  for (const text of [...(onServer ? postgres() : sqlite()), ...filled, ...kept]) {
    await statement(text).execute(db)
  }
}
