import { loadProject, projectPage } from '../components/project-page.ts'
import { details, rows, section } from '../components/rows.ts'
import { html } from '../html.ts'
import { readNumber, readPageNumber, type View } from '../page-context.ts'

/** A container repository and its tags. */
export const view: View = async (ctx, { project: path = '', id }) => {
  const repository = readNumber(id)
  const [project, { path: name, location }, tags] = await Promise.all([
    loadProject(ctx, path),
    ctx.session.containerRepositories.get({ repository }),
    ctx.session.containerTags.list({ project: path, repository, page: readPageNumber(ctx) }),
  ])
  const content = html`<h1>${name}</h1>
${details({ Image: html`<code>${location}</code>` })}
${section('tags', 'Tags', rows(ctx, tags, { empty: 'No tags.', row: (tag) => html`<span class="title">${tag.name}</span> <code>${tag.location}</code>` }))}`
  return { title: `${name} · ${project.fullPath}`, body: projectPage(ctx, project, 'registry', content) }
}
