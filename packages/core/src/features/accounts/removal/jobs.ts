import { defineJob } from '../../../kernel/jobs/job.ts'
import { removeGroupInSteps, removeProjectInSteps } from './steps.ts'

export const removeLargeProject = defineJob('projects.remove', {
  run: (tools, { projectId }) => removeProjectInSteps(tools, projectId),
})

export const removeLargeGroup = defineJob('groups.remove', {
  run: (tools, { groupId }) => removeGroupInSteps(tools, groupId),
})
