import type { Kysely } from 'kysely'
import type { Database } from '../contract/database.ts'
import { assertUnmodified, type Precondition } from '../kernel/precondition.ts'
import type { DatedTable } from './update-changed.ts'

/** Tables without `updatedAt` whose rows never change in a way that callers see. */
const constantTables = [
  'accessRequest',
  'awardEmoji',
  'deployToken',
  'gpgKey',
  'oauthApplication',
  'packageFile',
  'personalAccessToken',
  'secureFile',
  'share',
  'sshKey',
  'upload',
  'userIdentity',
] as const satisfies readonly (keyof Database)[]

type ConstantTable = (typeof constantTables)[number]

const isConstant = (table: string): table is ConstantTable => constantTables.some((constant) => constant === table)

/**
 * Checks the condition of a removal before it removes a row. Reads nothing without a condition.
 *
 * @throws PlatformError `conflict`, with the reason `modified`, if the row changed after the time of the condition
 */
export const assertRowUnmodified = async (
  ctx: { readonly db: Kysely<Database>; readonly precondition: Precondition | undefined },
  table: DatedTable | ConstantTable,
  id: number,
): Promise<void> => {
  if (!ctx.precondition) return
  const name: string = table
  // biome-ignore lint/suspicious/noExplicitAny: one statement for all tables
  const row: { readonly changedAt: string } = await (ctx.db as Kysely<any>)
    .selectFrom(name)
    .where('id', '=', id)
    .select(isConstant(name) ? 'createdAt as changedAt' : 'updatedAt as changedAt')
    .executeTakeFirstOrThrow()
  assertUnmodified(ctx, row.changedAt)
}
