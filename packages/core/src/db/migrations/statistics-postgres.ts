/** Adds the row to the counts, or subtracts it. */
const count = (row: 'new' | 'old', sign: '+' | '-') => `
  update {issue_count} set
    opened = opened ${sign} (${row}.state = 'opened' and not ${row}.confidential)::int,
    closed = closed ${sign} (${row}.state = 'closed' and not ${row}.confidential)::int,
    secret_opened = secret_opened ${sign} (${row}.state = 'opened' and ${row}.confidential)::int,
    secret_closed = secret_closed ${sign} (${row}.state = 'closed' and ${row}.confidential)::int
  where project_id = ${row}.project_id;`

/**
 * Statements that create the triggers and the full-text indexes of issues on PostgreSQL. Without the extension pg_trgm, or
 * the permission to create it, searches use no index.
 */
export const postgresTriggers: readonly string[] = [
  `create function {issue_link_facts}() returns trigger language plpgsql as $$ begin
    select project_id, state, confidential into new.project_id, new.state, new.confidential
    from {issue} where id = new.issue_id;
    return new;
  end $$`,
  'create trigger {#issue_label_facts} before insert on {issue_label} for each row execute function {issue_link_facts}()',
  'create trigger {#issue_assignee_facts} before insert on {issue_assignee} for each row execute function {issue_link_facts}()',
  `create function {issue_facts}() returns trigger language plpgsql as $$ begin
    if tg_op <> 'INSERT' then ${count('old', '-')} end if;
    if tg_op <> 'DELETE' then
      insert into {issue_count} (project_id) values (new.project_id) on conflict (project_id) do nothing;
      ${count('new', '+')}
    end if;
    if tg_op = 'UPDATE' then
      update {issue_label} set project_id = new.project_id, state = new.state, confidential = new.confidential
      where issue_id = new.id;
      update {issue_assignee} set project_id = new.project_id, state = new.state, confidential = new.confidential
      where issue_id = new.id;
    end if;
    return null;
  end $$`,
  'create trigger {#issue_added_or_removed} after insert or delete on {issue} for each row execute function {issue_facts}()',
  `create trigger {#issue_changed} after update of project_id, state, confidential on {issue} for each row
    when ((old.project_id, old.state, old.confidential) is distinct from (new.project_id, new.state, new.confidential))
    execute function {issue_facts}()`,
  `do $$ begin
    create extension if not exists pg_trgm;
    create index {#issue_title_words} on {issue} using gin (lower(title) gin_trgm_ops);
    create index {#issue_description_words} on {issue} using gin (lower(description) gin_trgm_ops);
  exception when others then
    raise notice 'searching issues without pg_trgm: %', sqlerrm;
  end $$`,
]
