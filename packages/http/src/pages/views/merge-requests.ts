import { filterForm, issuableList, mergeRequestKind } from '../components/issuable-list.ts'
import { toLabelColors } from '../components/label.ts'
import { loadProject, projectPage } from '../components/project-page.ts'
import { html } from '../html.ts'
import { readPageNumber, type View } from '../page-context.ts'

const states = ['opened', 'merged', 'closed', 'all'] as const

/** The merge requests of a project, by default the open ones. */
export const view: View = async (ctx, { project: fullPath = '' }) => {
  const [project, mergeRequests, labels] = await Promise.all([
    loadProject(ctx, fullPath),
    ctx.session.mergeRequests.list({
      project: fullPath,
      state: states.find((state) => state === ctx.query.get('state')) ?? 'opened',
      search: ctx.query.get('search') ?? '',
      page: readPageNumber(ctx),
    }),
    ctx.session.labels.list({ project: fullPath, perPage: 100 }),
  ])
  const content = html`<h1>Merge requests</h1>
${filterForm(ctx, { states: ['opened', 'merged', 'closed'], hasLabels: false })}
${issuableList(ctx, mergeRequests, mergeRequestKind, toLabelColors(labels.items))}`
  return { title: `Merge requests · ${project.fullPath}`, body: projectPage(ctx, project, 'merge_requests', content) }
}
