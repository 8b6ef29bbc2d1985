import { diffList, splitDiffs } from '../components/diff.ts'
import { describeAndDiscuss, discussionsPerPage } from '../components/discussions.ts'
import { issuableList, mergeRequestKind } from '../components/issuable-list.ts'
import { placeThreads } from '../components/line-threads.ts'
import { ifPermitted } from '../components/permitted.ts'
import { loadProject, projectPage } from '../components/project-page.ts'
import { details, section } from '../components/rows.ts'
import { pipelineLink } from '../components/status.ts'
import { time } from '../components/time.ts'
import { html } from '../html.ts'
import { type PageContext, readPageNumber, type View } from '../page-context.ts'

/** What belongs to a commit, as far as the visitor can read it. */
const readParts = async (ctx: PageContext, project: string, sha: string) => {
  const { commits, discussions, mergeRequests } = ctx.session
  const [changes, threads, related] = await Promise.all([
    commits.listDiffs({ project, sha, perPage: 100 }),
    ifPermitted(discussions.list({ project, commit: sha, perPage: discussionsPerPage, page: readPageNumber(ctx) })),
    ifPermitted(mergeRequests.list({ project, commit: sha, state: 'all', withLabelsDetails: true })),
  ])
  return { changes, threads, related }
}

/** A commit with its changes and comments. */
export const view: View = async (ctx, { project: path = '', sha = '' }) => {
  const [project, commit] = await Promise.all([loadProject(ctx, path), ctx.session.commits.get({ project: path, sha })])
  const { fullPath } = project
  const { changes, threads, related } = await readParts(ctx, path, commit.id)
  const discussed = threads && (await describeAndDiscuss(ctx, null, threads, fullPath))
  const diffs = splitDiffs(changes.items)
  const { contents, others } = placeThreads(discussed?.threads ?? [], diffs, commit.id)
  const text = commit.message.slice(commit.message.indexOf(commit.title) + commit.title.length).trim()
  const hasCommitter = commit.committerName !== commit.authorName
  const { stats, lastPipeline } = commit
  const content = html`<h1>${commit.title}</h1>
${text !== '' && html`<pre class="message">${text}</pre>`}
${details({
  Commit: html`<code>${commit.id}</code>`,
  Author: html`${commit.authorName}, ${time(commit.authoredDate)}`,
  Committer: hasCommitter && html`${commit.committerName}, ${time(commit.committedDate)}`,
  Parents:
    commit.parentIds.length === 0
      ? 'None'
      : commit.parentIds.map(
          (id) => html`<a class="sha" href="${ctx.url(fullPath, '-/commit', id)}">${id.slice(0, 8)}</a> `,
        ),
  Lines: stats && `${stats.additions} added, ${stats.deletions} removed`,
  Pipeline: lastPipeline && pipelineLink(ctx, lastPipeline),
  Files: html`<a href="${ctx.url(fullPath, '-/tree', commit.id)}">All files at this commit</a>`,
})}
${related && related.items.length > 0 && section('merge-requests', 'Merge requests', issuableList(ctx, related, mergeRequestKind, { project: fullPath, parameter: 'merge_requests_page' }))}
${section(
  'changes',
  'Changes',
  html`${diffList(diffs, contents)}
${changes.hasNext && html`<p class="note">Only the first 100 files are shown.</p>`}`,
)}
${discussed && discussed.threads.length > 0 && discussed.comments(others)}`
  return {
    title: `${commit.title} (${commit.shortId}) · ${fullPath}`,
    body: projectPage(ctx, project, 'tree', content),
  }
}
