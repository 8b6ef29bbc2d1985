import { PlatformError } from '@forgelet/core'
import { codeLines } from '../components/code.ts'
import { describeAndDiscuss, discussionsPerPage } from '../components/discussions.ts'
import { markdown, renderTexts } from '../components/markdown.ts'
import { loadProject, projectPage } from '../components/project-page.ts'
import { snippetUrl } from '../components/snippet.ts'
import { day } from '../components/time.ts'
import { userLink } from '../components/user.ts'
import { type Html, html } from '../html.ts'
import { type PageContext, readNumber, readPageNumber, type View } from '../page-context.ts'

/** The description, and for a project's snippet the comments; personal ones have none. */
const readTexts = async (
  ctx: PageContext,
  {
    id,
    projectPath,
    description,
  }: { readonly id: number; readonly projectPath: string | null; readonly description: string | null },
): Promise<{ readonly description: Html | undefined; readonly comments: Html | undefined }> => {
  if (projectPath === null) {
    const [rendered] = await renderTexts(ctx, [description])
    return { description: rendered && markdown(rendered, ''), comments: undefined }
  }
  const paging = { perPage: discussionsPerPage, page: readPageNumber(ctx) }
  const discussions = await ctx.session.discussions.list({ project: projectPath, snippet: id, ...paging })
  const discussed = await describeAndDiscuss(ctx, description, discussions, projectPath)
  return { description: discussed.description, comments: discussed.comments() }
}

/** A snippet, personal or of a project. */
export const view: View = async (ctx, { id, project: path }) => {
  const reference = { snippet: readNumber(id) }
  const [snippet, { content }] = await Promise.all([
    ctx.session.snippets.get(reference),
    ctx.session.snippets.getRaw(reference),
  ])
  const { title, projectPath, fileName, visibility, author, createdAt } = snippet
  if (path !== undefined && path.toLowerCase() !== projectPath?.toLowerCase())
    throw new PlatformError('not_found', 'Not found')
  const texts = await readTexts(ctx, snippet)
  const otherFiles = snippet.filePaths.slice(1)
  const body = html`<h1>${title}</h1>
<p><span class="badge">${visibility}</span> <span class="muted">by ${userLink(ctx, author)}, ${day(createdAt)}</span></p>
${texts.description}
<h2>${fileName === '' ? 'Content' : fileName}</h2>
<p class="muted"><a href="${snippetUrl(ctx, snippet, 'raw')}">Raw file</a></p>
${codeLines(content)}
${otherFiles.length > 0 && html`<h2>Other files</h2><ul class="files">${otherFiles.map((file) => html`<li><a href="${snippetUrl(ctx, snippet, 'raw/main', file)}">${file}</a></li>`)}</ul>`}
${texts.comments}`
  if (projectPath === null) return { title, body }
  const project = await loadProject(ctx, projectPath)
  return { title: `${title} · ${projectPath}`, body: projectPage(ctx, project, 'snippets', body) }
}
