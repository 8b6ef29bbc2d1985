import { isPlatformError, PlatformError } from '@forgelet/core'
import type { RepositoryFile } from '@forgelet/core/operations'
import { codeLines, decodeText, formatSize } from '../components/code.ts'
import { codeOwners } from '../components/code-owners.ts'
import { commitSummary } from '../components/commit-list.ts'
import { fileUrl, loadProject, projectPage } from '../components/project-page.ts'
import { pathLinks } from '../components/tree-list.ts'
import { type Html, html } from '../html.ts'
import type { PageContext, View } from '../page-context.ts'
import { imageTypes } from '../raw-content.ts'

/** Undefined if the file is too large for one response. */
const readFile = async (
  { session }: PageContext,
  input: { readonly project: string; readonly ref: string; readonly filePath: string },
): Promise<RepositoryFile | undefined> => {
  try {
    return await session.repositoryFiles.get(input)
  } catch (error) {
    if (isPlatformError(error) && error.code === 'unprocessable') return undefined
    throw error
  }
}

const fileContent = (file: RepositoryFile | undefined, path: string, rawUrl: string): Html => {
  const hint = html`<p class="empty">The file cannot be shown here. <a href="${rawUrl}">Download it</a></p>`
  if (file === undefined) return hint
  if (imageTypes.has(path.slice(path.lastIndexOf('.') + 1).toLowerCase())) {
    return html`<p class="image"><img src="${rawUrl}" alt="${file.fileName}"></p>`
  }
  const text = decodeText(Buffer.from(file.content, 'base64'))
  if (text === undefined) return hint
  return text === '' ? html`<p class="empty">The file is empty.</p>` : codeLines(text)
}

/** A file at a branch, tag or commit. */
export const view: View = async (ctx, { project: fullPath = '', rest = '' }) => {
  const [project, { ref, path, commit }] = await Promise.all([
    loadProject(ctx, fullPath),
    ctx.session.repository.locate({ project: fullPath, location: rest }),
  ])
  if (path === '') throw new PlatformError('not_found', 'Not found')
  const [file, owned] = await Promise.all([
    readFile(ctx, { project: fullPath, ref, filePath: path }),
    ctx.session.repository.listCodeOwners({ project: fullPath, ref, path }),
  ])
  const rawUrl = fileUrl(ctx, project.fullPath, { kind: 'raw', ref, path })
  const content = html`<h1>${path}</h1>
${pathLinks(ctx, project.fullPath, { ref, path })}
<p class="commit">${commitSummary(ctx, commit)} <a href="${fileUrl(ctx, project.fullPath, { kind: 'commits', ref, path })}">History</a></p>
<p class="muted">${file && `${formatSize(file.size)} · `}<a href="${rawUrl}">Raw file</a> · <a href="${fileUrl(ctx, project.fullPath, { kind: 'blame', ref, path })}">Blame</a></p>
${await codeOwners(ctx, owned)}
${fileContent(file, path, rawUrl)}`
  return { title: `${path} at ${ref} · ${project.fullPath}`, body: projectPage(ctx, project, 'tree', content) }
}
