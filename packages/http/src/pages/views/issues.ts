import { filterForm, issuableList, issueKind } from '../components/issuable-list.ts'
import { toLabelColors } from '../components/label.ts'
import { loadProject, projectPage } from '../components/project-page.ts'
import { html } from '../html.ts'
import { readPageNumber, type View } from '../page-context.ts'

const states = ['opened', 'closed', 'all'] as const

/** The issues of a project, by default the open ones. */
export const view: View = async (ctx, { project: fullPath = '' }) => {
  const search = ctx.query.get('search') ?? ''
  const labels = ctx.query.getAll('label').filter((name) => name !== '')
  const [project, issues, projectLabels] = await Promise.all([
    loadProject(ctx, fullPath),
    ctx.session.issues.list({
      project: fullPath,
      state: states.find((state) => state === ctx.query.get('state')) ?? 'opened',
      ...(search !== '' && { search }),
      ...(labels.length > 0 && { labels }),
      page: readPageNumber(ctx),
    }),
    ctx.session.labels.list({ project: fullPath, perPage: 100 }),
  ])
  const content = html`<h1>Issues</h1>
${filterForm(ctx, { states: ['opened', 'closed'], hasLabels: true })}
${issuableList(ctx, issues, issueKind, toLabelColors(projectLabels.items))}`
  return { title: `Issues · ${project.fullPath}`, body: projectPage(ctx, project, 'issues', content) }
}
