import { type Migration, migrations } from '../../packages/core/src/db/schema/migrations.ts'

/** A migration of a version that does not exist: labels get a column. */
export const madeUpMigration: Migration = {
  name: '0002_label_archived',
  sql: () => `
alter table {label} add column archived boolean not null default false;
update {label} set archived = true where description is null;
create index {#label_archived} on {label} (archived, id);
`,
}

/** From now on, this process is the version with that migration. Returns a function that ends it. */
export const addMadeUpMigration = (): (() => void) => {
  Array.prototype.push.call(migrations, madeUpMigration)
  return () => void Array.prototype.pop.call(migrations)
}
