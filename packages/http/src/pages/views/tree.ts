import { PlatformError } from '@forgelet/core'
import { codeOwners } from '../components/code-owners.ts'
import { commitSummary } from '../components/commit-list.ts'
import { fileUrl, loadProject, projectPage } from '../components/project-page.ts'
import { pathLinks, treeList } from '../components/tree-list.ts'
import { html } from '../html.ts'
import { readPageNumber, type View } from '../page-context.ts'

/** The entries of a directory at a branch, tag or commit. */
export const view: View = async (ctx, { project: fullPath = '', rest = '' }) => {
  const [project, { ref, path, commit }] = await Promise.all([
    loadProject(ctx, fullPath),
    ctx.session.repository.locate({ project: fullPath, location: rest }),
  ])
  const page = readPageNumber(ctx)
  const { repository } = ctx.session
  const [tree, owned] = await Promise.all([
    repository.listTree({ project: fullPath, ref, path, perPage: 100, page }),
    path === '' ? [] : repository.listCodeOwners({ project: fullPath, ref, path: `${path}/` }),
  ])
  // Git has no empty directories.
  if (path !== '' && page === 1 && tree.items.length === 0) throw new PlatformError('not_found', 'Not found')
  const content = html`<h1>${path === '' ? 'Files' : path}</h1>
${pathLinks(ctx, project.fullPath, { ref, path })}
<p class="commit">${commitSummary(ctx, commit)} <a href="${fileUrl(ctx, project.fullPath, { kind: 'commits', ref, path })}">History</a></p>
${await codeOwners(ctx, owned)}
${treeList(ctx, project.fullPath, { ref, path, tree })}`
  return {
    title: `${path === '' ? 'Files' : path} at ${ref} · ${project.fullPath}`,
    body: projectPage(ctx, project, 'tree', content),
  }
}
