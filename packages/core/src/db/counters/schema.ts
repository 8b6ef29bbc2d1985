import type { Dialect } from '../../kernel/store.ts'
import { createTrigger, type Trigger } from '../schema/trigger.ts'
import { noteCounts } from './note-counts.ts'
import { countTriggers } from './triggers.ts'

const tables = `
-- The columns of issue that counts filter by, in as few bytes as possible.
create table {issue_fact} (
  issue_id {KEY} primary key,
  project_id bigint not null,
  closed boolean not null,
  confidential boolean not null
);

-- Issues per project, with the columns of the project that decide who can read them. No row for a project without issues.
create table {issue_count} (
  project_id {KEY} primary key,
  namespace_id bigint not null,
  visibility text not null,
  issues_access_level text not null,
  opened integer not null default 0,
  closed integer not null default 0,
  confidential_opened integer not null default 0,
  confidential_closed integer not null default 0
);

-- Issues per project and label, assignee, author or milestone.
create table {issue_tally} (
  kind smallint not null,
  subject_id bigint not null,
  project_id bigint not null,
  opened integer not null default 0,
  closed integer not null default 0,
  confidential_opened integer not null default 0,
  confidential_closed integer not null default 0,
  primary key (kind, subject_id, project_id)
) {WITHOUT_ROWID};
`

/** Label and issue id in one integer, which is faster than two columns on SQLite only. */
const labelKeys = `
create table {issue_label_key} (
  link integer primary key
);
`

/**
 * The trigram indexes of SQLite, without a copy of the text. Titles have an index of their own: most searches of long lists use
 * only titles, and reading both is several times slower.
 */
export const fullTextIndexes = [
  { table: 'issue_title', columns: ['title'] },
  // The longer column first: FTS5 stores column markers only for columns after the first.
  { table: 'issue_text', columns: ['description', 'title'] },
] as const

const createFullTextIndexes = fullTextIndexes
  .map(
    ({ table, columns }) => `create virtual table {${table}} using fts5(
  ${columns.join(', ')}, content = {issue}, content_rowid = 'id', tokenize = 'trigram', columnsize = 0);
`,
  )
  .join('')

const fullTextTriggers = ({ table, columns }: (typeof fullTextIndexes)[number]): readonly Trigger[] => {
  const names = columns.join(', ')
  const values = (row: string) => [`${row}.id`, ...columns.map((column) => `${row}.${column}`)].join(', ')
  const insert = `insert into {${table}} (rowid, ${names}) values (${values('new')});`
  const remove = `insert into {${table}} ({${table}}, rowid, ${names}) values ('delete', ${values('old')});`
  const when = columns.map((column) => `old.${column} is not new.${column}`).join(' or ')
  return [
    { name: `${table}_added`, event: 'after insert on {issue}', body: insert },
    { name: `${table}_removed`, event: 'after delete on {issue}', body: remove },
    { name: `${table}_reworded`, event: `after update of ${names} on {issue}`, when, body: remove + insert },
  ]
}

/** Without the extension pg_trgm, or the permission to create it, searches on PostgreSQL use no index. */
const trigramIndexes = `
do $$ begin
  create extension if not exists pg_trgm;
  create index {#issue_title_words} on {issue} using gin (lower(title) gin_trgm_ops);
  create index {#issue_description_words} on {issue} using gin (lower(description) gin_trgm_ops);
exception when others then
  raise notice 'searching issues without pg_trgm: %', sqlerrm;
end $$;
`

/**
 * What makes counts and searches of a million issues fast: counters and narrow rows that triggers maintain, and full-text indexes
 * ([decision 24](../../../../../docs/decisions/0024-issue-counters.md)). Triggers, because deleting an author, a project or a label also
 * deletes issues or links by cascade.
 *
 * - `schema.ts`, `triggers.ts`: the tables and triggers; `columns.ts`: what the files of this folder share
 * - `note-counts.ts`: the comments of each issue, merge request and epic
 * - `verify.ts`: compares the counters with what they count, and rebuilds them
 * - `full-text.ts`: conditions that use the full-text indexes
 * - `features/planning/issues/counts/`: counts of issues that a caller may read
 */
export const counters = (dialect: Dialect): string =>
  [
    tables,
    noteCounts(dialect),
    ...(dialect === 'sqlite' ? [labelKeys, createFullTextIndexes] : [trigramIndexes]),
    ...[
      ...countTriggers(dialect === 'sqlite'),
      ...(dialect === 'sqlite' ? fullTextIndexes.flatMap(fullTextTriggers) : []),
    ].map((trigger) => createTrigger(dialect, trigger)),
  ].join('')
