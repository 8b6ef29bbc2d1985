import { diffList, splitDiffs } from '../components/diff.ts'
import { loadProject, projectPage } from '../components/project-page.ts'
import { time } from '../components/time.ts'
import { html } from '../html.ts'
import type { View } from '../page-context.ts'

/** A commit and its changes. */
export const view: View = async (ctx, { project: fullPath = '', sha = '' }) => {
  const [project, commit] = await Promise.all([
    loadProject(ctx, fullPath),
    ctx.session.commits.get({ project: fullPath, sha, stats: false }),
  ])
  const changes = await ctx.session.commits.listDiffs({ project: fullPath, sha: commit.id, perPage: 100 })
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
${diffList(splitDiffs(changes.items))}
${changes.hasNext && html`<p class="note">Only the first 100 files are shown.</p>`}`
  return {
    title: `${commit.title} (${commit.shortId}) · ${project.fullPath}`,
    body: projectPage(ctx, project, 'tree', content),
  }
}
