import type { FoundFile, Milestone, Note, SearchPage } from '@forgelet/core/operations'
import { type Html, html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import { commitSummary } from './commit-list.ts'
import { issuableList, issueKind, mergeRequestKind, stateBadge } from './issuable-list.ts'
import { milestoneDates, milestoneUrl } from './milestone.ts'
import { noteUrl } from './note-url.ts'
import { projectList } from './project-list.ts'
import { fileUrl } from './project-page.ts'
import { rows } from './rows.ts'
import { snippetRow } from './snippet.ts'
import { time } from './time.ts'
import { userLink } from './user.ts'

const empty = 'Nothing was found.'

const milestoneRow = (ctx: PageContext, milestone: Milestone): Html =>
  html`${stateBadge(milestone.state)} <a class="title" href="${milestoneUrl(ctx, milestone)}">${milestone.title}</a> <span class="muted">${milestone.parentPath}</span> ${milestoneDates(milestone)}`

/** Characters of a comment in a list. */
const excerptLength = 300

const noteRow = (ctx: PageContext, note: Note, project: string): Html => {
  const url = noteUrl(ctx, project, note)
  const excerpt = note.body.slice(0, excerptLength).toWellFormed()
  return html`${url === undefined ? excerpt : html`<a href="${url}">${excerpt}</a>`}
<p class="muted">${userLink(ctx, note.author)}, ${time(note.createdAt)}</p>`
}

/** The lines around the text that was found. */
const fileRow = (ctx: PageContext, { path, ref, data, startline }: FoundFile, project: string): Html =>
  html`<a class="title" href="${fileUrl(ctx, project, { kind: 'blob', ref, path })}#L${startline}">${path}</a>
${data !== '' && html`<pre class="commands">${data}</pre>`}`

/** A page of the items that a search found. @param project the full path of the project that was searched */
export const searchResults = (ctx: PageContext, found: SearchPage, project = ''): Html => {
  const options = { project }
  switch (found.scope) {
    case 'projects':
      return projectList(ctx, found)
    case 'issues':
      return issuableList(ctx, found, issueKind, options)
    case 'merge_requests':
      return issuableList(ctx, found, mergeRequestKind, options)
    case 'milestones':
      return rows(ctx, found, { empty, row: (milestone) => milestoneRow(ctx, milestone) })
    case 'users':
      return rows(ctx, found, {
        empty,
        row: (user) => html`${userLink(ctx, user)} <span class="muted">@${user.username}</span>`,
      })
    case 'snippet_titles':
      return rows(ctx, found, { empty, row: (snippet) => snippetRow(ctx, snippet) })
    case 'notes':
      return rows(ctx, found, { empty, row: (note) => noteRow(ctx, note, project) })
    case 'blobs':
      return rows(ctx, found, { empty, row: (file) => fileRow(ctx, file, project) })
    case 'commits':
      return rows(ctx, found, { empty, row: (commit) => commitSummary(ctx, commit) })
  }
}
