import { currentUser } from '../../../access/subjects.ts'
import { getUserId } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { command, query } from '../../../kernel/operation.ts'
import { getSettings } from '../../administration/settings/queries.ts'

/** The terms of service of the instance, and whether the current user has to accept them. */
export interface Terms {
  /** Text in Markdown; empty for none. */
  text: string
  /** Whether other calls of the current user fail until the user accepts the terms. */
  mustAccept: boolean
}

const readTerms = async (ctx: Context): Promise<Terms> => {
  const { terms } = await getSettings(ctx)
  const row = await ctx.db
    .selectFrom('user')
    .where('id', '=', getUserId(ctx.actor))
    .select('mustAcceptTerms')
    .executeTakeFirst()
  return { text: terms ?? '', mustAccept: row?.mustAcceptTerms ?? false }
}

/** The terms of service that the setting `enforceTerms` makes all users accept. */
export const terms = {
  /** Gets the terms of service, also before the current user has accepted them. */
  get: query({ on: currentUser, can: 'terms.accept', beforeTerms: true, run: readTerms }),

  /** Accepts the terms of service. Until the terms change, calls of the current user work. */
  accept: command({
    on: currentUser,
    can: 'terms.accept',
    beforeTerms: true,
    serializes: 'user',
    async run(ctx): Promise<Terms> {
      const id = getUserId(ctx.actor)
      await ctx.db.updateTable('user').set({ mustAcceptTerms: false }).where('id', '=', id).execute()
      return readTerms(ctx)
    },
  }),
}
