import type { Dialect } from '../../kernel/store.ts'
import { counters } from '../counters/schema.ts'
import { permissionTables, settingTables } from '../row-cache.ts'
import { access } from './tables/access.ts'
import { accounts } from './tables/accounts.ts'
import { delivery } from './tables/delivery.ts'
import { discussions } from './tables/discussions.ts'
import { instance } from './tables/instance.ts'
import { integrations } from './tables/integrations.ts'
import { mergeRequests } from './tables/merge-requests.ts'
import { planning } from './tables/planning.ts'
import { repositories } from './tables/repositories.ts'
import { spaces } from './tables/spaces.ts'
import { createTrigger } from './trigger.ts'

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
const permissionVersion: string = `
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

/** The owners of internal ids, with the kinds that are counted for each. */
const owners = [
  { table: 'project', kinds: ['issue', 'mergeRequest', 'milestone', 'deployment'] },
  { table: 'namespace', kinds: ['epic', 'groupMilestone'] },
] as const

/**
 * Triggers that delete the counters of a deleted project or group. A foreign key is not possible: the kind of a counter decides
 * which table its owner is in.
 */
const internalIdTriggers = (dialect: Dialect): string =>
  owners
    .map(({ table, kinds }) => {
      const kindsIn = kinds.map((kind) => `'${kind}'`).join(', ')
      const body = `delete from {internal_id} where kind in (${kindsIn}) and owner_id = old.id;`
      return createTrigger(dialect, { name: `${table}_counters`, event: `after delete on {${table}}`, body })
    })
    .join('')

/** In an order in which every table follows those that it refers to. */
const tables = [
  instance,
  accounts,
  spaces,
  access,
  planning,
  repositories,
  mergeRequests,
  discussions,
  delivery,
  integrations,
]

/** The statements that create the database of the first release, except the table of applied migrations; see `renderSql`. */
export const createSchema = (dialect: Dialect): string =>
  [
    ...tables,
    counters(dialect),
    internalIdTriggers(dialect),
    ...(dialect === 'postgres' ? [permissionVersion] : []),
  ].join('\n')
