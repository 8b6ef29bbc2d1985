import { PlatformError } from '@forgelet/core'
import { loadContainer } from '../components/container.ts'
import { issuableList, issueKind, stateBadge } from '../components/issuable-list.ts'
import { toLabelColors } from '../components/label.ts'
import { markdown, renderTexts } from '../components/markdown.ts'
import { milestoneDates } from '../components/milestone.ts'
import { type Html, html } from '../html.ts'
import { type PageContext, readNumber, readPageNumber, type View } from '../page-context.ts'

/** The issues of the project with a milestone. */
const issuesSection = async (ctx: PageContext, project: string, milestone: string): Promise<Html> => {
  const [issues, labels] = await Promise.all([
    ctx.session.issues.list({ project, milestone, page: readPageNumber(ctx) }),
    ctx.session.labels.list({ project, perPage: 100 }),
  ])
  return html`<h2>Issues</h2>${issuableList(ctx, issues, issueKind, toLabelColors(labels.items))}`
}

/** A milestone of a project or a group, and the issues of the project. */
export const view: View = async (ctx, parameters) => {
  const container = await loadContainer(ctx, parameters)
  const { items } = await ctx.session.milestones.list({ ...container.reference, iids: [readNumber(parameters.iid)] })
  const [milestone] = items
  if (milestone === undefined) throw new PlatformError('not_found', 'Not found')
  const { title, state, description } = milestone
  const [rendered] = await renderTexts(ctx, [description], { project: container.project })
  const content = html`<h1>${title}</h1>
<p>${stateBadge(state)} ${milestoneDates(milestone)}</p>
${markdown(rendered, 'No description.')}
${container.project !== undefined && (await issuesSection(ctx, container.project, title))}`
  return { title: `${title} · ${container.fullPath}`, body: container.page('milestones', content) }
}
