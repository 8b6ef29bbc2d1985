import { commitList } from '../components/commit-list.ts'
import { diffList, splitDiffs } from '../components/diff.ts'
import { describeAndDiscuss, discussionsPerPage } from '../components/discussions.ts'
import { issuableDetails } from '../components/issuable-details.ts'
import { issuableList, issueKind, mergeRequestKind, stateBadge } from '../components/issuable-list.ts'
import { toLabelColors } from '../components/label.ts'
import { labelHistory } from '../components/label-history.ts'
import { placeThreads } from '../components/line-threads.ts'
import { branchDirection, mergeRequestDetails } from '../components/merge-request-details.ts'
import { emptyList, pagination } from '../components/pagination.ts'
import { ifPermitted } from '../components/permitted.ts'
import { pipelineList } from '../components/pipeline-list.ts'
import { loadProject, projectPage } from '../components/project-page.ts'
import { reactions } from '../components/reactions.ts'
import { section, total } from '../components/rows.ts'
import { type Html, html } from '../html.ts'
import { type PageContext, readNumber, readPageNumber, type View } from '../page-context.ts'

/** The parts that every visitor of the page can read. */
const readParts = async (ctx: PageContext, project: string, mergeRequest: number) => {
  const { mergeRequests, discussions, labels, awardEmoji, resourceEvents } = ctx.session
  const reference = { project, mergeRequest }
  const [item, threads, commits, diffs, colors, awards, reviewers, labelEvents, closed] = await Promise.all([
    mergeRequests.get(reference),
    discussions.list({ ...reference, perPage: discussionsPerPage, page: readPageNumber(ctx) }),
    mergeRequests.listCommits({ ...reference, page: readPageNumber(ctx, 'commits_page') }),
    mergeRequests.listDiffs({ ...reference, page: readPageNumber(ctx, 'files_page') }),
    labels.list({ project, perPage: 100 }),
    awardEmoji.list({ ...reference, perPage: 100 }),
    mergeRequests.listReviewers({ ...reference, perPage: 100 }),
    resourceEvents.listLabelEvents({ ...reference, page: readPageNumber(ctx, 'labels_page') }),
    mergeRequests.listClosedIssues({ ...reference, page: readPageNumber(ctx, 'issues_page') }),
  ])
  return { item, threads, commits, diffs, colors, awards, reviewers, labelEvents, closed }
}

type Parts = Awaited<ReturnType<typeof readParts>>

/** The parts that other permissions are required for. */
const readReview = async ({ session, ...ctx }: PageContext, project: string, mergeRequest: number) => {
  const page = readPageNumber({ session, ...ctx }, 'pipelines_page')
  const [approvals, state, pipelines] = await Promise.all([
    ifPermitted(session.mergeRequestApprovals.get({ project, mergeRequest })),
    ifPermitted(session.mergeRequestApprovals.getState({ project, mergeRequest })),
    ifPermitted(session.pipelines.list({ project, mergeRequest, page })),
  ])
  return { approvals, rules: state?.rules ?? [], pipelines }
}

const changesSections = (ctx: PageContext, { commits, diffs }: Parts, list: Html): Html => html`${section(
  'commits',
  html`Commits${total(commits)}`,
  html`${commits.items.length > 0 ? commitList(ctx, commits.items) : emptyList('No commits.')}
${pagination(ctx, commits, 'commits_page')}`,
)}
${section(
  'changes',
  html`Changes${total(diffs)}`,
  html`${diffs.items.length > 0 ? list : emptyList('No changes.')}
${pagination(ctx, diffs, 'files_page')}`,
)}`

/** A merge request with its description, comments, commits, pipelines and differences. */
export const view: View = async (ctx, { project: fullPath = '', iid }) => {
  const number = readNumber(iid)
  const [project, parts] = await Promise.all([loadProject(ctx, fullPath), readParts(ctx, fullPath, number)])
  const { item, colors, awards, reviewers, closed, labelEvents } = parts
  const { approvals, rules, pipelines } = await readReview(ctx, fullPath, number)
  const discussed = await describeAndDiscuss(ctx, item.description, parts.threads, project.fullPath)
  const diffs = splitDiffs(parts.diffs.items)
  const { contents, others } = placeThreads(discussed.threads, diffs, item.diffRefs?.headSha)
  const own = mergeRequestDetails(ctx, item, { reviewers: reviewers.items, approvals, rules })
  const content = html`<h1>${item.title} <span class="muted">!${item.iid}</span></h1>
<p>${stateBadge(item.state)} ${branchDirection(ctx, item)}</p>
${issuableDetails(ctx, item, { kind: mergeRequestKind, colors: toLabelColors(colors.items), own })}
${discussed.description}
${reactions(awards.items)}
${closed.items.length > 0 && section('closes', 'Closes', issuableList(ctx, closed, issueKind, { project: project.fullPath, parameter: 'issues_page' }))}
${pipelines && pipelines.items.length > 0 && section('pipelines', html`Pipelines${total(pipelines)}`, pipelineList(ctx, pipelines, 'pipelines_page'))}
${discussed.comments(others)}
${labelHistory(ctx, labelEvents)}
${changesSections(ctx, parts, diffList(diffs, contents))}`
  return {
    title: `${item.title} (!${item.iid}) · ${project.fullPath}`,
    body: projectPage(ctx, project, 'merge_requests', content),
  }
}
