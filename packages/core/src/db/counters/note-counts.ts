import type { Dialect } from '../../kernel/store.ts'
import { createTrigger, type Trigger } from '../schema/trigger.ts'

/** Values of `note_count.kind`: the table that `item_id` refers to. Stored, so a number is never reused. */
export const noteCountKinds = { issue: 1, mergeRequest: 2, epic: 3 } as const

/** The items of these columns of `note` have a count; snippets show none. */
const countedKeys = [
  { key: 'issue_id', kind: noteCountKinds.issue },
  { key: 'merge_request_id', kind: noteCountKinds.mergeRequest },
  { key: 'epic_id', kind: noteCountKinds.epic },
] as const

const kindOf = (row: string) =>
  `case ${countedKeys.map(({ key, kind }) => `when ${row}.${key} is not null then ${kind}`).join(' ')} end`
const itemOf = (row: string) => `coalesce(${countedKeys.map(({ key }) => `${row}.${key}`).join(', ')})`
const isCounted = (row: string) => `not ${row}.system and ${row}.snippet_id is null`

const one = (condition: string) => `case when ${condition} then 1 else 0 end`

/** Comments of an item, without system notes. The internal ones apart: who can read them depends on the reader. */
const table = `
create table {note_count} (
  kind smallint not null,
  item_id bigint not null,
  public integer not null,
  internal integer not null,
  primary key (kind, item_id)
) {WITHOUT_ROWID};
`

const add = (values: string) => `
  insert into {note_count} (kind, item_id, public, internal) ${values}
  on conflict (kind, item_id) do update set
    public = {note_count}.public + excluded.public, internal = {note_count}.internal + excluded.internal;`

const ofItem = `kind = ${kindOf('old')} and item_id = ${itemOf('old')}`

/** Whether a note is internal, a system note, and where it belongs never changes. */
const rowTriggers: readonly Trigger[] = [
  {
    name: 'note_counted',
    event: 'after insert on {note}',
    when: isCounted('new'),
    body: add(`values (${kindOf('new')}, ${itemOf('new')}, ${one('not new.internal')}, ${one('new.internal')})`),
  },
  {
    name: 'note_uncounted',
    event: 'before delete on {note}',
    when: isCounted('old'),
    body: `
  update {note_count} set public = public - ${one('not old.internal')}, internal = internal - ${one('old.internal')}
  where ${ofItem};
  delete from {note_count} where ${ofItem} and public + internal = 0;`,
  },
]

const sumOf = (rows: string) => `
  select ${kindOf('note')} as kind, ${itemOf('note')} as item_id, sum(${one('not note.internal')}) as public,
    sum(${one('note.internal')}) as internal
  from ${rows} as note where ${isCounted('note')} group by 1, 2`

const statementTrigger = (name: string, event: string, rows: string, body: string) => `
create function {${name}}() returns trigger language plpgsql as $$ begin ${body} return null; end $$;
create trigger {#${name}} after ${event} on {note} referencing ${rows} for each statement execute function {${name}}();
`

/**
 * Once for each statement: PostgreSQL keeps each version of a row that a transaction changes, so that a trigger for each of thousands of
 * notes of an item would take time that grows with their square.
 */
const statementTriggers =
  statementTrigger('note_counted', 'insert', 'new table as added', add(sumOf('added'))) +
  statementTrigger(
    'note_uncounted',
    'delete',
    'old table as removed',
    `
  update {note_count} as counted set public = counted.public - gone.public, internal = counted.internal - gone.internal
  from (${sumOf('removed')}) as gone where counted.kind = gone.kind and counted.item_id = gone.item_id;
  delete from {note_count} as counted using (${sumOf('removed')}) as gone
  where counted.kind = gone.kind and counted.item_id = gone.item_id and counted.public + counted.internal = 0;`,
  )

export const noteCounts = (dialect: Dialect): string =>
  table +
  (dialect === 'sqlite' ? rowTriggers.map((trigger) => createTrigger(dialect, trigger)).join('') : statementTriggers)

/** The rows that the table must contain. */
export const expectedNoteCounts: string = countedKeys
  .map(
    ({ key, kind }) => `select ${kind}, ${key}, sum(${one('not internal')}), sum(${one('internal')})
    from {note} where ${key} is not null and not system group by ${key}`,
  )
  .join(' union all ')
