import { formatAttachment } from '../../reply/content-disposition.ts'
import { readNumber, type View } from '../page-context.ts'

/** The archive of the files that a job created. */
export const view: View = async (ctx, { project = '', id }) => {
  const { fileName, size, content } = await ctx.session.pipelineJobs.getArtifacts({ project, job: readNumber(id) })
  return {
    status: 200,
    bytes: content,
    headers: {
      'Content-Type': 'application/octet-stream',
      'Content-Length': String(size),
      'Content-Disposition': formatAttachment(fileName, 'artifacts.zip'),
      'Content-Security-Policy': "sandbox; default-src 'none'",
    },
  }
}
