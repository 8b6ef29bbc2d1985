import { readNumber, type View } from '../page-context.ts'
import { createRawHeaders } from '../raw-content.ts'

/** The log of a job as plain text. */
export const view: View = async (ctx, { project = '', id }) => {
  const { content } = await ctx.session.pipelineJobs.getTrace({ project, job: readNumber(id) })
  return { status: 200, bytes: content, headers: createRawHeaders('job.log') }
}
