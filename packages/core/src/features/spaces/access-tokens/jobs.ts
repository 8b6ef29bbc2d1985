import { defineJob } from '../../../kernel/jobs/job.ts'
import { removeUserInSteps } from '../../accounts/users/remove-user.ts'

/** Removes the bot of a token. Its contributions remain, with a ghost user as their author. */
export const removeBot = defineJob('accessTokens.removeBot', {
  run: (tools, { userId }) => removeUserInSteps(tools, userId, false),
})
