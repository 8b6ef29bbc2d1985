import { setImmediate } from 'node:timers/promises'
import type { Context } from '../../kernel/context.ts'
import type { JobContext } from '../../kernel/job.ts'
import { removeContents } from './contents.ts'
import { removeGroup, removeProject, selectProjectsBelow } from './remove.ts'

/** Removals in several transactions, so that other writers wait for one of them at most. They can be repeated after a crash. */

/** Repeats a step, each time in a transaction of its own, until it returns false. Requests run between the steps. */
export async function repeatStep(
  { write, signal }: JobContext,
  step: (ctx: Context) => Promise<boolean>,
): Promise<void> {
  while (await write(step)) await setImmediate(undefined, { signal })
}

export async function removeProjectInSteps(tools: JobContext, projectId: number): Promise<void> {
  await repeatStep(tools, (ctx) => removeContents(ctx, projectId))
  await tools.write((ctx) => removeProject(ctx, projectId))
}

export async function removeGroupInSteps(tools: JobContext, groupId: number): Promise<void> {
  const projects = await tools.write((ctx) => selectProjectsBelow(ctx, groupId).orderBy('project.id').execute())
  for (const { id } of projects) await removeProjectInSteps(tools, id)
  await tools.write((ctx) => removeGroup(ctx, groupId))
}
