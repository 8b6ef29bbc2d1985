import { lower } from '../../../db/functions.ts'
import type { Context } from '../../../kernel/context.ts'
import { createUser } from './mutations.ts'
import { ghostEmail as email } from './user.ts'

const findFreeUsername = async (ctx: Context): Promise<string> => {
  let username = 'ghost'
  for (let number = 1; await isTaken(ctx, username); number++) username = `ghost${number}`
  return username
}

const isTaken = async (ctx: Context, path: string): Promise<boolean> => {
  const row = await ctx.db.selectFrom('namespace').where(lower('fullPath'), '=', path).select('id').executeTakeFirst()
  return row !== undefined
}

/** The id of the user who is the author of the contributions of removed users. Created when it is first needed. */
export async function getGhostId(ctx: Context): Promise<number> {
  const existing = await ctx.db.selectFrom('user').where(lower('email'), '=', email).select('id').executeTakeFirst()
  if (existing) return existing.id
  const { id } = await createUser(ctx, { username: await findFreeUsername(ctx), name: 'Ghost User', email })
  await ctx.db.updateTable('user').set({ state: 'blocked' }).where('id', '=', id).execute()
  return id
}
