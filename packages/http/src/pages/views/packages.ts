import { loadContainer } from '../components/container.ts'
import { rows } from '../components/rows.ts'
import { day } from '../components/time.ts'
import { html } from '../html.ts'
import { readPageNumber, type View } from '../page-context.ts'

/** The packages of a project or a group. */
export const view: View = async (ctx, parameters) => {
  const container = await loadContainer(ctx, parameters)
  const packages = await ctx.session.packages.list({ ...container.reference, page: readPageNumber(ctx) })
  const content = html`<h1>Packages</h1>
${rows(ctx, packages, {
  empty: 'No packages.',
  row: ({ id, name, version, packageType, projectPath, createdAt }) =>
    html`<a class="title" href="${ctx.url(projectPath, '-/packages', id)}">${name} ${version}</a> <span class="badge">${packageType}</span> <span class="muted">${container.project === undefined && `${projectPath}, `}${day(createdAt)}</span>`,
})}`
  return { title: `Packages · ${container.fullPath}`, body: container.page('packages', content) }
}
