import { getProjectAccessLevel } from '../../../access/actor-level.ts'
import { findActiveActor } from '../../../access/authenticate.ts'
import { findProject } from '../../../access/projects.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import type { Actor } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { defineJob } from '../../../kernel/jobs/job.ts'
import { hasAbility } from '../../../policy/authorize.ts'
import { createInJob, isFinalError } from './create-in-job.ts'
import { createPushPipeline } from './push-pipeline.ts'
import type { PushedReference } from './pushed-reference.ts'

const findPusher = (ctx: Context, userId: number | null): Actor | Promise<Actor | undefined> =>
  userId === null ? { kind: 'system', reason: 'push' } : Promise.resolve(findActiveActor(ctx, userId))

interface Pusher {
  readonly actor: Actor
  readonly subject: Subjects['project']
}

/** The project as the pushing user sees it; undefined if the user may not run pipelines in it. */
const loadPusher = async (ctx: Context, { projectId, userId }: PushedReference): Promise<Pusher | undefined> => {
  const actor = await findPusher(ctx, userId)
  const project = await findProject(ctx, projectId)
  if (actor === undefined || project === undefined) return undefined
  const access = await getProjectAccessLevel(ctx.actAs(actor), project)
  const subject = { kind: 'project', project, access } as const
  return hasAbility(actor, subject, 'pipeline.run') ? { actor, subject } : undefined
}

/** Creates the pipeline of a push, with the permissions of the pushing user. One that cannot be created is left out. */
export const createPipelineOnPush = defineJob('pipelines.createOnPush', {
  async run({ write }, push) {
    const pusher = await write((ctx) => loadPusher(ctx, push))
    if (pusher === undefined) return
    const { actor, subject } = pusher
    try {
      await createInJob({ write }, actor, (ctx) => createPushPipeline(ctx, subject, push))
    } catch (error) {
      if (!isFinalError(error)) throw error
    }
  },
})
