import { commitList } from '../components/commit-list.ts'
import { diffList } from '../components/diff.ts'
import { describeAndDiscuss, discussionsPerPage } from '../components/discussions.ts'
import { issuableDetails, mergeRequestKind, stateBadge } from '../components/issuable-list.ts'
import { toLabelColors } from '../components/label.ts'
import { emptyList, pagination } from '../components/pagination.ts'
import { loadProject, projectPage } from '../components/project-page.ts'
import { type Html, html } from '../html.ts'
import { type PageContext, readNumber, readPageNumber, type View } from '../page-context.ts'

const readMergeRequest = (ctx: PageContext, project: string, mergeRequest: number) => {
  const { mergeRequests, discussions, labels } = ctx.session
  const reference = { project, mergeRequest }
  return Promise.all([
    loadProject(ctx, project),
    mergeRequests.get(reference),
    discussions.list({ ...reference, perPage: discussionsPerPage, page: readPageNumber(ctx) }),
    mergeRequests.listCommits({ ...reference, page: readPageNumber(ctx, 'commits_page') }),
    mergeRequests.listDiffs({ ...reference, page: readPageNumber(ctx, 'files_page') }),
    labels.list({ project, perPage: 100 }),
  ])
}

const changesSections = (
  ctx: PageContext,
  [, , , commits, diffs]: Awaited<ReturnType<typeof readMergeRequest>>,
): Html => html`<section aria-labelledby="commits"><h2 id="commits">Commits</h2>
${commits.items.length > 0 ? commitList(ctx, commits.items) : emptyList('No commits.')}
${pagination(ctx, commits, 'commits_page')}</section>
<section aria-labelledby="changes"><h2 id="changes">Changes</h2>
${diffs.items.length > 0 ? diffList(diffs.items) : emptyList('No changes.')}
${pagination(ctx, diffs, 'files_page')}</section>`

/** A merge request with its description, comments, commits and differences. */
export const view: View = async (ctx, { project: fullPath = '', iid }) => {
  const parts = await readMergeRequest(ctx, fullPath, readNumber(iid))
  const [project, mergeRequest, discussions, , , labels] = parts
  const { description, comments } = await describeAndDiscuss(
    ctx,
    mergeRequest.description,
    discussions,
    project.fullPath,
  )
  const { title, sourceBranch, targetBranch, state } = mergeRequest
  const content = html`<h1>${title} <span class="muted">!${mergeRequest.iid}</span></h1>
<p>${stateBadge(state)} <code>${sourceBranch}</code> → <code>${targetBranch}</code></p>
${issuableDetails(ctx, mergeRequest, toLabelColors(labels.items), mergeRequestKind)}
${description}
${comments}
${changesSections(ctx, parts)}`
  return {
    title: `${title} (!${mergeRequest.iid}) · ${project.fullPath}`,
    body: projectPage(ctx, project, 'merge_requests', content),
  }
}
