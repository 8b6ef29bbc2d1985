import { job } from '../../jobs.ts'
import type { Context } from '../../kernel/context.ts'
import { findMergeRequest } from '../merge-requests/queries.ts'
import { findProject } from '../projects/queries.ts'
import { type Glance, glance, look } from './looking.ts'

const find = async (ctx: Context, projectId: number, iid: number): Promise<Glance | undefined> => {
  const project = await findProject(ctx, projectId)
  const mergeRequest = await findMergeRequest(ctx, projectId, iid)
  return project && mergeRequest && glance(ctx, { project, access: 0, mergeRequest })
}

/** Writes down how a merge request stands, so that its commits are known when it is merged. */
export const lookAtMergeRequest = job('mergeRequests.look', {
  async run({ write }, { projectId, iid }) {
    const found = await write((ctx) => find(ctx, projectId, iid))
    if (found !== undefined) await look({ write }, found)
  },
})
