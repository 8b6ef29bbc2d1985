import * as v from 'valibot'
import { currentUser } from '../../../access/subjects.ts'
import { updateChanged } from '../../../db/update-changed.ts'
import { getUserId } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { atLeastOne } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'

/** Choices of a user for clients. They have no effect on the platform. */
export interface UserPreferences {
  /** Id of the user. */
  userId: number
  /** Whether the changes of merge requests are shown one file at a time. */
  viewDiffsFileByFile: boolean
  /** Whether changes of blanks are shown in differences. */
  showWhitespaceInDiffs: boolean
  /** Whether the user's identities at sign-in services are passed to jobs. */
  passUserIdentitiesToCiJwt: boolean
}

const columns = ['viewDiffsFileByFile', 'showWhitespaceInDiffs', 'passUserIdentitiesToCiJwt'] as const

const readPreferences = async (ctx: Context): Promise<UserPreferences> => {
  const rows = ctx.db.selectFrom('user').where('id', '=', getUserId(ctx.actor))
  return rows.select(['id as userId', ...columns]).executeTakeFirstOrThrow()
}

export const userPreferences = {
  /** Gets the preferences of the current user. */
  getPreferences: query({ on: currentUser, can: 'preference.manage', run: readPreferences }),

  /** Updates the preferences of the current user. Omitted ones keep their values; at least one is required. */
  updatePreferences: command({
    on: currentUser,
    can: 'preference.manage',
    serializes: 'user',
    input: {
      /** Whether the changes of merge requests are shown one file at a time. It has no effect on the platform. */
      viewDiffsFileByFile: v.optional(v.boolean()),
      /** Whether changes of blanks are shown in differences. It has no effect on the platform. */
      showWhitespaceInDiffs: v.optional(v.boolean()),
      /** Whether the user's identities at sign-in services are passed to jobs. It has no effect on the platform. */
      passUserIdentitiesToCiJwt: v.optional(v.boolean()),
    },
    rules: [atLeastOne(...columns)],
    async run(ctx, change) {
      await updateChanged(ctx, 'user', getUserId(ctx.actor), change)
      return readPreferences(ctx)
    },
  }),
}
