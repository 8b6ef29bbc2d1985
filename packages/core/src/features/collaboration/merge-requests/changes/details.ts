import type { Subjects } from '../../../../contract/subjects.ts'
import type { Context } from '../../../../kernel/context.ts'
import type { TransactionRunner } from '../../../../kernel/deferred.ts'
import { notFound } from '../../../../kernel/errors.ts'
import type { createRenderer } from '../../markdown/renderer.ts'
import type { MergeRequestDetails } from '../merge-request.ts'
import { withPermissions } from '../permissions.ts'
import { completeMergeRequests, findMergeRequest } from '../queries.ts'
import type { PreparedHead } from './source-branch.ts'

/** A merge request as it is stored now, and what the current user may do with it. */
export const readDetails = async (ctx: Context, subject: Subjects['mergeRequest']): Promise<MergeRequestDetails> => {
  const { projectId, iid } = subject.mergeRequest
  const record = await findMergeRequest(ctx, projectId, iid)
  const [mergeRequest] = record ? await completeMergeRequests(ctx, [record]) : []
  if (mergeRequest === undefined) throw notFound()
  return withPermissions(ctx, subject, mergeRequest)
}

/** Commits of the target branch that the source branch does not contain; null if a branch is missing. */
export const countDivergedCommits = async ({
  opened,
  mergeRequest,
  sourceTip: source,
}: PreparedHead): Promise<number | null> => {
  const target = await opened?.repository.branch(mergeRequest.targetBranch)
  if (opened === undefined || source === undefined || target === undefined) return null
  return opened.repository.countCommits({ commit: target, exclude: [source], ...opened.abortable })
}

/** Adds the title and the description as HTML. */
export const withHtml = async (
  { read }: Pick<TransactionRunner, 'read'>,
  details: MergeRequestDetails,
  render: Awaited<ReturnType<typeof createRenderer>>,
): Promise<MergeRequestDetails> => ({
  ...details,
  titleHtml: (await render(read, details.title, 'platform')).replace(/^<p[^>]*>|<\/p>\s*$/g, ''),
  descriptionHtml: await render(read, details.description ?? '', 'platform'),
})
