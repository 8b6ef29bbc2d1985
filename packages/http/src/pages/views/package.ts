import { formatSize } from '../components/code.ts'
import { loadProject, projectPage } from '../components/project-page.ts'
import { details, rows, section } from '../components/rows.ts'
import { day } from '../components/time.ts'
import { html } from '../html.ts'
import { readNumber, readPageNumber, type View } from '../page-context.ts'

/** A package and its files. */
export const view: View = async (ctx, { project: path = '', id }) => {
  const reference = { project: path, package: readNumber(id) }
  const [project, item, files] = await Promise.all([
    loadProject(ctx, path),
    ctx.session.packages.get(reference),
    ctx.session.packageFiles.list({ ...reference, page: readPageNumber(ctx) }),
  ])
  const content = html`<h1>${item.name} <span class="muted">${item.version}</span></h1>
${details({ Type: item.packageType, Status: item.status !== 'default' && item.status, Published: day(item.createdAt) })}
${section(
  'files',
  'Files',
  rows(ctx, files, {
    empty: 'No files.',
    row: ({ fileName, size, createdAt }) =>
      html`${fileName} <span class="muted">${size !== null && `${formatSize(size)}, `}${day(createdAt)}</span>`,
  }),
)}`
  return {
    title: `${item.name} ${item.version} · ${project.fullPath}`,
    body: projectPage(ctx, project, 'packages', content),
  }
}
