import { pipelineList } from '../components/pipeline-list.ts'
import { loadProject, projectPage } from '../components/project-page.ts'
import { html } from '../html.ts'
import { readPageNumber, type View } from '../page-context.ts'

const scopes = ['running', 'pending', 'finished', 'branches', 'tags'] as const

/** The pipelines of a project, newest first. */
export const view: View = async (ctx, { project: path = '' }) => {
  const scope = scopes.find((name) => name === ctx.query.get('scope'))
  const ref = ctx.query.get('ref') ?? ''
  const [project, pipelines] = await Promise.all([
    loadProject(ctx, path),
    ctx.session.pipelines.list({
      project: path,
      ...(scope !== undefined && { scope }),
      ...(ref !== '' && { ref }),
      page: readPageNumber(ctx),
    }),
  ])
  const content = html`<h1>Pipelines</h1>
<form class="filters" role="search">
<label>Scope <select name="scope">${['all', ...scopes].map((name) => html`<option value="${name}"${name === scope && html` selected`}>${name}</option>`)}</select></label>
<label>Branch or tag <input name="ref" value="${ref}"></label>
<button type="submit">Filter</button> <a href="${ctx.url(project.fullPath, '-/jobs')}">All jobs</a> <a href="${ctx.url(project.fullPath, '-/pipeline_schedules')}">Schedules</a></form>
${pipelineList(ctx, pipelines)}`
  return { title: `Pipelines · ${project.fullPath}`, body: projectPage(ctx, project, 'pipelines', content) }
}
