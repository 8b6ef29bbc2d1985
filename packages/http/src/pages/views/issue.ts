import type { Issue, LinkedIssue } from '@forgelet/core/operations'
import { describeAndDiscuss, discussionsPerPage } from '../components/discussions.ts'
import { issuableDetails } from '../components/issuable-details.ts'
import { issuableList, issueKind, mergeRequestKind, stateBadge } from '../components/issuable-list.ts'
import { toLabelColors } from '../components/label.ts'
import { labelHistory } from '../components/label-history.ts'
import { ifPermitted } from '../components/permitted.ts'
import { loadProject, projectPage } from '../components/project-page.ts'
import { reactions } from '../components/reactions.ts'
import { section } from '../components/rows.ts'
import { type HtmlValue, html } from '../html.ts'
import { type PageContext, readNumber, readPageNumber, type View } from '../page-context.ts'

const readParts = async (ctx: PageContext, project: string, issue: number) => {
  const { issues, discussions, labels, awardEmoji, resourceEvents, issueLinks, mergeRequests } = ctx.session
  const reference = { project, issue }
  const [item, threads, colors, awards, labelEvents, linked, related] = await Promise.all([
    issues.get(reference),
    discussions.list({ ...reference, perPage: discussionsPerPage, page: readPageNumber(ctx) }),
    labels.list({ project, perPage: 100 }),
    awardEmoji.list({ ...reference, perPage: 100 }),
    resourceEvents.listLabelEvents({ ...reference, page: readPageNumber(ctx, 'labels_page') }),
    ifPermitted(issueLinks.list({ ...reference, page: readPageNumber(ctx, 'links_page') })),
    ifPermitted(mergeRequests.listRelated({ ...reference, page: readPageNumber(ctx, 'merge_requests_page') })),
  ])
  return { item, threads, colors, awards, labelEvents, linked, related }
}

/** Details that only issues have. */
const issueDetails = (
  ctx: PageContext,
  { epic, dueDate, weight, issueType }: Issue,
): Readonly<Record<string, HtmlValue>> => ({
  Type: issueType !== 'issue' && issueType.replace('_', ' '),
  Epic: epic && html`<a href="${ctx.url('groups', epic.groupPath, '-/epics', epic.iid)}">${epic.title}</a>`,
  Due: dueDate,
  Weight: weight,
})

const linkNames = {
  relates_to: 'related',
  blocks: 'blocked by this issue',
  is_blocked_by: 'blocks this issue',
} as const

/** An issue with its description, comments, links and history. */
export const view: View = async (ctx, { project: path = '', iid }) => {
  const [project, parts] = await Promise.all([loadProject(ctx, path), readParts(ctx, path, readNumber(iid))])
  const { item, threads, colors, awards, labelEvents, linked, related } = parts
  const { fullPath } = project
  const { description, comments } = await describeAndDiscuss(ctx, item.description, threads, fullPath)
  const options = { kind: issueKind, colors: toLabelColors(colors.items), own: issueDetails(ctx, item) }
  const content = html`<h1>${item.title} <span class="muted">#${item.iid}</span></h1>
<p>${stateBadge(item.state)}${item.confidential && html` <span class="badge">confidential</span>`}</p>
${issuableDetails(ctx, item, options)}
${description}
${reactions(awards.items)}
${
  linked &&
  linked.items.length > 0 &&
  section(
    'links',
    'Linked issues',
    issuableList(ctx, linked, issueKind, {
      project: fullPath,
      parameter: 'links_page',
      note: ({ linkType }: LinkedIssue) => linkNames[linkType],
    }),
  )
}
${related && related.items.length > 0 && section('merge-requests', 'Merge requests', issuableList(ctx, related, mergeRequestKind, { project: fullPath, parameter: 'merge_requests_page' }))}
${comments()}
${labelHistory(ctx, labelEvents)}`
  return { title: `${item.title} (#${item.iid}) · ${fullPath}`, body: projectPage(ctx, project, 'issues', content) }
}
