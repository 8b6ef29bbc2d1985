import type { Snippet } from '@forgelet/core/operations'
import { type Html, html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import { day } from './time.ts'
import { userLink } from './user.ts'

/** The address of a snippet, or of a page or file below it. */
export const snippetUrl = (
  ctx: PageContext,
  { id, projectPath }: Pick<Snippet, 'id' | 'projectPath'>,
  ...parts: readonly string[]
): string => (projectPath === null ? ctx.url('snippets', id, ...parts) : ctx.url(projectPath, 'snippets', id, ...parts))

/** A snippet in a list. */
export const snippetRow = (ctx: PageContext, snippet: Snippet): Html =>
  html`<a class="title" href="${snippetUrl(ctx, snippet)}">${snippet.title}</a> <span class="badge">${snippet.visibility}</span>
<p class="muted">${snippet.projectPath !== null && html`in <a href="${ctx.url(snippet.projectPath)}">${snippet.projectPath}</a> `}by ${userLink(ctx, snippet.author)}, ${day(snippet.createdAt)}</p>`
