import { isPlatformError } from '../../kernel/errors.ts'
import { defineJob } from '../../kernel/job.ts'
import { findUser } from '../accounts/queries.ts'
import { removeUser } from '../user-removal/remove-user.ts'

/** Removes the bot of a token. Its contributions remain, with a ghost user as their author. */
export const removeBot = defineJob('accessTokens.removeBot', {
  run: ({ write }, { userId }) =>
    write(async (ctx) => {
      try {
        await removeUser(ctx, await findUser(ctx, userId), false)
      } catch (error) {
        if (!isPlatformError(error) || error.code !== 'not_found') throw error
      }
    }),
})
