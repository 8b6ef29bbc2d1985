import { describeAndDiscuss, discussionsPerPage } from '../components/discussions.ts'
import { groupPage } from '../components/group-page.ts'
import { issuableList, issueKind, stateBadge } from '../components/issuable-list.ts'
import { label, toLabelColors } from '../components/label.ts'
import { labelHistory } from '../components/label-history.ts'
import { ifPermitted } from '../components/permitted.ts'
import { reactions } from '../components/reactions.ts'
import { details, section } from '../components/rows.ts'
import { day } from '../components/time.ts'
import { userLink } from '../components/user.ts'
import { html } from '../html.ts'
import { readNumber, readPageNumber, type View } from '../page-context.ts'

/** An epic with its description, issues, comments and the history of its labels. */
export const view: View = async (ctx, { group = '', iid }) => {
  const reference = { group, epic: readNumber(iid) }
  const { groups, epics, discussions, labels, awardEmoji, epicIssues, resourceEvents } = ctx.session
  const [{ fullPath }, epic, threads, groupLabels, awards, issues, labelEvents] = await Promise.all([
    groups.get({ group, withProjects: false }),
    epics.get(reference),
    discussions.list({ ...reference, perPage: discussionsPerPage, page: readPageNumber(ctx) }),
    labels.list({ group, perPage: 100 }),
    awardEmoji.list({ ...reference, perPage: 100 }),
    ifPermitted(epicIssues.list({ ...reference, page: readPageNumber(ctx, 'issues_page') })),
    resourceEvents.listLabelEvents({ ...reference, page: readPageNumber(ctx, 'labels_page') }),
  ])
  const { description, comments } = await describeAndDiscuss(ctx, epic.description, threads)
  const colors = toLabelColors(groupLabels.items)
  const content = html`<h1>${epic.title} <span class="muted">&amp;${epic.iid}</span></h1>
<p>${stateBadge(epic.state)}${epic.confidential && html` <span class="badge">confidential</span>`}</p>
${details({
  Author: html`${userLink(ctx, epic.author)}, ${day(epic.createdAt)}`,
  Labels: epic.labels.length > 0 && epic.labels.map((name) => html`${label(name, colors.get(name))} `),
  Start: epic.startDate,
  Due: epic.dueDate,
  Closed:
    epic.closedAt !== null && html`${day(epic.closedAt)}${epic.closedBy && html` by ${userLink(ctx, epic.closedBy)}`}`,
})}
${description}
${reactions(awards.items)}
${issues && issues.items.length > 0 && section('issues', 'Issues', issuableList(ctx, issues, issueKind, { parameter: 'issues_page' }))}
${comments()}
${labelHistory(ctx, labelEvents)}`
  return { title: `${epic.title} (&${epic.iid}) · ${fullPath}`, body: groupPage(ctx, fullPath, 'epics', content) }
}
