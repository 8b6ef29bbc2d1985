import type { RepositoryCommit } from '@forgelet/core/operations'
import { type Html, html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import { time } from './time.ts'

/** A link to the page of a commit. */
export const commitLink = (ctx: PageContext, { projectPath, id, shortId }: RepositoryCommit): Html =>
  html`<a class="sha" href="${ctx.url(projectPath, '-/commit', id)}">${shortId}</a>`

/** The title, the author and the time of a commit. */
export const commitSummary = (ctx: PageContext, commit: RepositoryCommit): Html =>
  html`<span class="title">${commit.title.slice(0, 1_000).toWellFormed()}</span>
<span class="muted">${commitLink(ctx, commit)} by ${commit.authorName}, ${time(commit.authoredDate)}</span>`

export const commitList = (ctx: PageContext, commits: readonly RepositoryCommit[]): Html =>
  html`<ul class="rows">${commits.map((commit) => html`<li>${commitSummary(ctx, commit)}</li>`)}</ul>`
