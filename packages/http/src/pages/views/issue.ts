import { describeAndDiscuss, discussionsPerPage } from '../components/discussions.ts'
import { issuableDetails, issueKind, stateBadge } from '../components/issuable-list.ts'
import { toLabelColors } from '../components/label.ts'
import { loadProject, projectPage } from '../components/project-page.ts'
import { html } from '../html.ts'
import { readNumber, readPageNumber, type View } from '../page-context.ts'

/** An issue with its description and comments. */
export const view: View = async (ctx, { project: fullPath = '', iid }) => {
  const reference = { project: fullPath, issue: readNumber(iid) }
  const [project, issue, discussions, labels] = await Promise.all([
    loadProject(ctx, fullPath),
    ctx.session.issues.get(reference),
    ctx.session.discussions.list({ ...reference, perPage: discussionsPerPage, page: readPageNumber(ctx) }),
    ctx.session.labels.list({ project: fullPath, perPage: 100 }),
  ])
  const { description, comments } = await describeAndDiscuss(ctx, issue.description, discussions, project.fullPath)
  const content = html`<h1>${issue.title} <span class="muted">#${issue.iid}</span></h1>
<p>${stateBadge(issue.state)}${issue.confidential && html` <span class="badge">confidential</span>`}</p>
${issuableDetails(ctx, issue, toLabelColors(labels.items), issueKind)}
${description}
${comments}`
  return {
    title: `${issue.title} (#${issue.iid}) · ${project.fullPath}`,
    body: projectPage(ctx, project, 'issues', content),
  }
}
