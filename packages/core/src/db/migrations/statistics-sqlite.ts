/** Adds the row to the counts, or subtracts it: `confidential` is 0 or 1. */
const count = (row: 'new' | 'old', sign: '+' | '-') => `
  update {issue_count} set
    opened = opened ${sign} (${row}.state = 'opened' and not ${row}.confidential),
    closed = closed ${sign} (${row}.state = 'closed' and not ${row}.confidential),
    secret_opened = secret_opened ${sign} (${row}.state = 'opened' and ${row}.confidential),
    secret_closed = secret_closed ${sign} (${row}.state = 'closed' and ${row}.confidential)
  where project_id = ${row}.project_id;`

const more = `
  insert into {issue_count} (project_id) values (new.project_id) on conflict (project_id) do nothing;
  ${count('new', '+')}`

const fewer = count('old', '-')

const factsOf = (table: string, issue: string) => `
  update {${table}} set
    project_id = (select project_id from {issue} where id = ${issue}),
    state = (select state from {issue} where id = ${issue}),
    confidential = (select confidential from {issue} where id = ${issue})`

const newLink = (table: string, to: string) => `
  create trigger {#${table}_facts} after insert on {${table}} begin
    ${factsOf(table, 'new.issue_id')} where issue_id = new.issue_id and ${to}_id = new.${to}_id;
  end`

const insertText = 'insert into {issue_text} (rowid, title, description) values (new.id, new.title, new.description);'
const removeText = `insert into {issue_text} ({issue_text}, rowid, title, description)
  values ('delete', old.id, old.title, old.description);`

/**
 * Statements that create the triggers and the full-text index of issues on SQLite. The index contains trigrams, ignoring
 * case, without a copy of the text.
 */
export const sqliteTriggers: readonly string[] = [
  `create virtual table {issue_text} using fts5(
    title, description, content = {issue}, content_rowid = 'id', tokenize = 'trigram', columnsize = 0)`,
  "insert into {issue_text} ({issue_text}) values ('rebuild')",
  newLink('issue_label', 'label'),
  newLink('issue_assignee', 'user'),
  `create trigger {#issue_added} after insert on {issue} begin ${more} ${insertText} end`,
  `create trigger {#issue_removed} after delete on {issue} begin ${fewer} ${removeText} end`,
  `create trigger {#issue_changed} after update of project_id, state, confidential on {issue}
    when old.project_id <> new.project_id or old.state <> new.state or old.confidential <> new.confidential begin
    ${fewer} ${more}
    ${factsOf('issue_label', 'new.id')} where issue_id = new.id;
    ${factsOf('issue_assignee', 'new.id')} where issue_id = new.id;
  end`,
  `create trigger {#issue_reworded} after update of title, description on {issue}
    when old.title is not new.title or old.description is not new.description begin ${removeText} ${insertText} end`,
]
