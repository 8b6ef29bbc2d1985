import { permissionTables, settingTables } from '../row-cache.ts'

const watch = (table: string) => {
  const run = `on {${table}} for each`
  return `create trigger {#${table}_changed} after insert or update or delete ${run} row execute function {permission_change}();
create trigger {#${table}_truncated} after truncate ${run} statement execute function {permission_change}();
`
}

/**
 * PostgreSQL only: stores the last transaction that changed a cached table (`row-cache.ts`), so that processes notice changes of
 * others. Triggers include changes by foreign keys and by statements of the host.
 */
export const permissionVersion: string = `
create table {permission_version} (
  version text not null
);
insert into {permission_version} (version) values ('0');
-- Once for each transaction: each further update would leave a dead row.
create function {permission_change}() returns trigger language plpgsql as $$ begin
  update {permission_version} set version = pg_current_xact_id()::text where version <> pg_current_xact_id()::text;
  return null;
end $$;
${[...permissionTables, ...settingTables].map(watch).join('')}`
