import { isPlatformError } from '@forgelet/core'
import { defined, type ProjectDetails } from '@forgelet/core/operations'
import { cloneAddress, pushCommands, sshKeyHint } from '../components/clone-commands.ts'
import { decodeText } from '../components/code.ts'
import { commitSummary } from '../components/commit-list.ts'
import { markdown, renderTexts, resolveRelativeUrls } from '../components/markdown.ts'
import { emptyList } from '../components/pagination.ts'
import { fileUrl, loadProject, projectPage } from '../components/project-page.ts'
import { count } from '../components/rows.ts'
import { treeList } from '../components/tree-list.ts'
import { type Html, html } from '../html.ts'
import { type PageContext, readPageNumber, type View } from '../page-context.ts'

/** Undefined for a missing file, and for one that is not text. */
const readText = async ({ session }: PageContext, project: string, filePath: string): Promise<string | undefined> => {
  try {
    const { content } = await session.repositoryFiles.get({ project, filePath })
    return decodeText(Buffer.from(content, 'base64'))
  } catch (error) {
    if (isPlatformError(error) && (error.code === 'not_found' || error.code === 'unprocessable')) return undefined
    throw error
  }
}

const readmeSection = (name: string, content: Html | undefined): Html =>
  html`<section aria-labelledby="readme"><h2 id="readme">${name}</h2>${markdown(content, 'The file is empty.')}</section>`

/** Links of a README are relative to its directory; those with a leading slash, to the root of the repository. */
const linkReadme = (ctx: PageContext, project: ProjectDetails, ref: string, rendered: Html | undefined) => {
  const { fullPath, readmeFile } = project
  const path = readmeFile?.includes('/') ? readmeFile.slice(0, readmeFile.lastIndexOf('/')) : ''
  const folder = (directory: string) => ({
    page: fileUrl(ctx, fullPath, { kind: 'blob', ref, path: directory }),
    raw: fileUrl(ctx, fullPath, { kind: 'raw', ref, path: directory }),
  })
  return rendered && resolveRelativeUrls(rendered, folder(path), folder(''))
}

/** The newest commit, the files and the README of the default branch. */
const codeSections = async (ctx: PageContext, project: ProjectDetails, ref: string) => {
  const { fullPath, readmeFile } = project
  const [commit, tree, readme] = await Promise.all([
    ctx.session.commits.get({ project: fullPath, sha: ref, stats: false }),
    ctx.session.repository.listTree({ project: fullPath, ref, perPage: 100, page: readPageNumber(ctx) }),
    readmeFile === null ? undefined : readText(ctx, fullPath, readmeFile),
  ])
  return { commit, tree, readme }
}

const counts = (ctx: PageContext, { fullPath, starCount, forksCount, forkedFromProject }: ProjectDetails): Html =>
  html`<span class="muted"><a href="${ctx.url(fullPath, '-/starrers')}">${count(starCount, 'star')}</a> · <a href="${ctx.url(fullPath, '-/forks')}">${count(forksCount, 'fork')}</a>${forkedFromProject && html` · fork of <a href="${ctx.url(forkedFromProject.fullPath)}">${forkedFromProject.fullPath}</a>`}</span>`

const topics = (ctx: PageContext, { tagList }: ProjectDetails): Html | false =>
  tagList.length > 0 &&
  html`<p>${tagList.map((topic) => html`<a class="badge" href="${ctx.url('')}?${new URLSearchParams({ topic }).toString()}">${topic}</a> `)}</p>`

const missingCode = (ctx: PageContext, project: ProjectDetails): Html =>
  project.defaultBranch === undefined
    ? emptyList('You cannot read the code.')
    : html`${emptyList('The repository is empty.')}${ctx.viewer !== undefined && pushCommands(ctx, project)}`

/** The description, the files and the README of a project. */
export const view: View = async (ctx, { project: path = '' }) => {
  const project = await loadProject(ctx, path)
  const { fullPath, defaultBranch, emptyRepo, readmeFile } = project
  const ref = defaultBranch !== undefined && !emptyRepo ? defaultBranch : undefined
  const code = ref === undefined ? undefined : await codeSections(ctx, project, ref)
  const isMarkdown = readmeFile !== null && /\.(?:md|markdown|mdown|mkd)$/i.test(readmeFile)
  const readme = code?.readme ?? null
  const [description, renderedReadme] = await renderTexts(ctx, [project.description, isMarkdown ? readme : null], {
    project: fullPath,
    preferred: 1,
  })
  const content = html`<h1>${project.name}</h1>
<p><span class="badge">${project.visibility}</span>${project.archived && html` <span class="badge">archived</span>`} ${counts(ctx, project)}</p>
${topics(ctx, project)}
${description && markdown(description, '')}
${defaultBranch !== undefined && cloneAddress(ctx, project)}
${defaultBranch !== undefined && (await sshKeyHint(ctx, project))}
${
  code === undefined
    ? missingCode(ctx, project)
    : html`<section aria-labelledby="files"><h2 id="files">Files</h2>
<p class="commit">${commitSummary(ctx, code.commit)} <a href="${fileUrl(ctx, fullPath, { kind: 'commits', ref: defined(ref), path: '' })}">History</a></p>
${treeList(ctx, fullPath, { ref: defined(ref), path: '', tree: code.tree })}</section>`
}
${readmeFile !== null && readme !== null && readmeSection(readmeFile, isMarkdown ? linkReadme(ctx, project, ref ?? '', renderedReadme) : html`<pre>${readme}</pre>`)}`
  return { title: project.nameWithNamespace, body: projectPage(ctx, project, 'project', content) }
}
