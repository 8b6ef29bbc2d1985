import { findProject } from '../../../access/projects.ts'
import { defineJob } from '../../../kernel/jobs/job.ts'
import { readHead } from '../merge-requests/changes/head.ts'
import { prepareHead } from '../merge-requests/changes/source-branch.ts'
import { findMergeRequest } from '../merge-requests/queries.ts'
import { createLocator } from './locate.ts'
import { findOpenSuggestions } from './queries.ts'

/** Finds the lines of the suggestions on a merge request in the newest commit, or marks them as outdated. */
export const locateSuggestions = defineJob('suggestions.locate', {
  async run({ write }, { projectId, iid }) {
    const found = await write(async (ctx) => {
      const project = await findProject(ctx, projectId)
      const mergeRequest = await findMergeRequest(ctx, projectId, iid)
      if (project === undefined || mergeRequest === undefined) return undefined
      return {
        head: await readHead(ctx, { project, mergeRequest }),
        rows: await findOpenSuggestions(ctx, mergeRequest.id),
      }
    })
    if (!found?.rows.length) return
    const { opened, sourceTip } = await prepareHead({ write }, found.head)
    if (opened === undefined || sourceTip === undefined) return
    const locate = createLocator(opened.repository, sourceTip)
    for (const row of found.rows) {
      const location = await locate(row)
      const change = location ? { ...location, headSha: sourceTip } : { outdated: true }
      await write((ctx) => ctx.db.updateTable('suggestion').set(change).where('id', '=', row.id).execute())
    }
  },
})
