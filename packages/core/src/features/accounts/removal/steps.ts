import type { JobContext } from '../../../kernel/jobs/job.ts'
import { repeatStep } from '../../../kernel/jobs/repeat-step.ts'
import { removeContents } from './contents.ts'
import { removeGroup, removeProject, selectGroupsBelow, selectProjectsBelow } from './remove.ts'

/** Removals in several transactions, so that other writers wait for one of them at most. They can be repeated after a crash. */

export async function removeProjectInSteps(tools: JobContext, projectId: number): Promise<void> {
  await repeatStep(tools, (ctx) => removeContents(ctx, 'projectId', projectId))
  await tools.write((ctx) => removeProject(ctx, projectId))
}

export async function removeGroupInSteps(tools: JobContext, groupId: number): Promise<void> {
  const projects = await tools.write((ctx) => selectProjectsBelow(ctx, groupId).orderBy('project.id').execute())
  for (const { id } of projects) await removeProjectInSteps(tools, id)
  const groups = await tools.write((ctx) => selectGroupsBelow(ctx, groupId).execute())
  for (const { id } of groups) await repeatStep(tools, (ctx) => removeContents(ctx, 'groupId', id))
  await tools.write((ctx) => removeGroup(ctx, groupId))
}
