import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'

const toSealContext = (name: string) => `instance_key.${name}`

/** Keys of the instance by name; undefined before the first use. `T` is the type that was stored under this name. */
export const readStoredKeys = async <T>(ctx: Context, name: string): Promise<T | undefined> => {
  const row = await ctx.db.selectFrom('instanceKey').where('name', '=', name).select('sealed').executeTakeFirst()
  return row && JSON.parse(ctx.ports.secrets.open(row.sealed, toSealContext(name)))
}

/** Stores the first keys. Another process may have stored others in the meantime, which are then returned. */
export const storeFirstKeys = async <T>(ctx: Context, name: string, keys: T): Promise<T> => {
  const stored = await readStoredKeys<T>(ctx, name)
  if (stored) return stored
  const sealed = ctx.ports.secrets.seal(JSON.stringify(keys), toSealContext(name))
  await ctx.db
    .insertInto('instanceKey')
    .values({ name, sealed, createdAt: ctx.now } satisfies CompleteRow<'instanceKey'>)
    .execute()
  return keys
}
