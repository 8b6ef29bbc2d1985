import { findProject } from '../../../../access/projects.ts'
import type { Context } from '../../../../kernel/context.ts'
import { defineJob } from '../../../../kernel/jobs/job.ts'
import { findMergeRequest } from '../queries.ts'
import { type MergeRequestHead, readHead } from './head.ts'
import { refresh } from './refresh.ts'

const loadHead = async (ctx: Context, projectId: number, iid: number): Promise<MergeRequestHead | undefined> => {
  const project = await findProject(ctx, projectId)
  const mergeRequest = await findMergeRequest(ctx, projectId, iid)
  return project && mergeRequest && readHead(ctx, { project, mergeRequest })
}

/** Stores the current version of a merge request, so that its commits are available after the merge, and compares its branches. */
export const refreshMergeRequestVersion = defineJob('mergeRequests.refreshVersion', {
  async run({ write }, { projectId, iid }) {
    const head = await write((ctx) => loadHead(ctx, projectId, iid))
    if (head !== undefined) await refresh({ write }, head)
  },
})
