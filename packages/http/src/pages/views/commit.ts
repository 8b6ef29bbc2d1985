import { diffList } from '../components/diff.ts'
import { loadProject, projectPage } from '../components/project-page.ts'
import { time } from '../components/time.ts'
import { html } from '../html.ts'
import type { View } from '../page-context.ts'

/** A commit and its differences from the first parent. */
export const view: View = async (ctx, { project: fullPath = '', sha = '' }) => {
  const [project, commit] = await Promise.all([
    loadProject(ctx, fullPath),
    ctx.session.repository.getCommit({ project: fullPath, sha }),
  ])
  const [parent] = commit.parentIds
  const comparison =
    parent === undefined
      ? undefined
      : await ctx.session.repository.compare({ project: fullPath, from: parent, to: commit.id, straight: true })
  const details = commit.message.slice(commit.message.indexOf(commit.title) + commit.title.length).trim()
  const content = html`<h1>${commit.title}</h1>
${details !== '' && html`<pre class="message">${details}</pre>`}
<dl class="details">
<div><dt>Commit</dt><dd><code>${commit.id}</code></dd></div>
<div><dt>Author</dt><dd>${commit.authorName}, ${time(commit.authoredDate)}</dd></div>
${commit.committerName !== commit.authorName && html`<div><dt>Committer</dt><dd>${commit.committerName}, ${time(commit.committedDate)}</dd></div>`}
<div><dt>Parents</dt><dd>${commit.parentIds.length === 0 ? 'None' : commit.parentIds.map((id) => html`<a class="sha" href="${ctx.url(project.fullPath, '-/commit', id)}">${id.slice(0, 8)}</a> `)}</dd></div>
<div><dt>Files</dt><dd><a href="${ctx.url(project.fullPath, '-/tree', commit.id)}">All files at this commit</a></dd></div>
</dl>
<h2>Changes</h2>
${comparison ? diffList(comparison.diffs) : html`<p class="empty">The first commit: all of its files are new.</p>`}
${comparison?.compareTimeout && html`<p class="note">The list is incomplete: a limit was reached.</p>`}`
  return {
    title: `${commit.title} (${commit.shortId}) · ${project.fullPath}`,
    body: projectPage(ctx, project, 'tree', content),
  }
}
