import { defineJob } from '../../../kernel/jobs/job.ts'
import { removeUserInSteps } from './remove-user.ts'

export const removeLargeUser = defineJob('users.remove', {
  run: (tools, { userId, hardDelete }) => removeUserInSteps(tools, userId, hardDelete),
})
