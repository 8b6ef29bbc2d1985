import { commitList } from '../components/commit-list.ts'
import { diffList, splitDiffs } from '../components/diff.ts'
import { emptyList } from '../components/pagination.ts'
import { loadProject, projectPage } from '../components/project-page.ts'
import { count, section } from '../components/rows.ts'
import { type Html, html } from '../html.ts'
import { type PageContext, redirectTo, type View } from '../page-context.ts'

/** Commits and files of a comparison on its page. */
const maxItems = 100

const revisionForm = (ctx: PageContext, project: string, from: string, to: string): Html =>
  html`<form class="filters" action="${ctx.url(project, '-/compare')}">
<label>From <input name="from" value="${from}" required></label>
<label>To <input name="to" value="${to}" required></label>
<button type="submit">Compare</button></form>`

const limited = (shown: number, all: number, noun: string): Html | false =>
  all > shown && html`<p class="note">Only ${shown} of ${count(all, noun)} are shown.</p>`

/** The commits and changes between two revisions: `main...branch` since they separated, `main..branch` directly. */
const comparison = async (ctx: PageContext, project: string, revisions: string): Promise<Html | undefined> => {
  const { groups } = /^(?<from>.+?)(?<dots>\.{2,3})(?<to>.+)$/.exec(revisions) ?? {}
  if (!groups) return undefined
  const { from = '', dots, to = '' } = groups
  const { commits, diffs, compareTimeout } = await ctx.session.repository.compare({
    project,
    from,
    to,
    straight: dots === '..',
  })
  const newest = commits.toReversed().slice(0, maxItems)
  const files = diffs.slice(0, maxItems)
  return html`${revisionForm(ctx, project, from, to)}
${compareTimeout && html`<p class="note">The comparison is too large to be complete.</p>`}
${section('commits', html`Commits <span class="muted">(${commits.length})</span>`, html`${newest.length > 0 ? commitList(ctx, newest) : emptyList('No commits.')}${limited(newest.length, commits.length, 'commit')}`)}
${section('changes', html`Changes <span class="muted">(${diffs.length})</span>`, html`${files.length > 0 ? diffList(splitDiffs(files)) : emptyList('No changes.')}${limited(files.length, diffs.length, 'file')}`)}`
}

/** A comparison of two branches, tags or commits, or the form that asks for them. */
export const view: View = async (ctx, { project: path = '', rest = '' }) => {
  const [from, to] = [ctx.query.get('from'), ctx.query.get('to')]
  if (rest === '' && from && to)
    return redirectTo(`${ctx.url(path, '-/compare')}/${encodeURIComponent(`${from}...${to}`)}`)
  const project = await loadProject(ctx, path)
  const { fullPath, defaultBranch = '' } = project
  const content = html`<h1>Compare revisions</h1>
${(await comparison(ctx, fullPath, rest)) ?? revisionForm(ctx, fullPath, defaultBranch, '')}`
  const title = rest === '' ? 'Compare revisions' : `Comparison of ${rest}`
  return { title: `${title} · ${fullPath}`, body: projectPage(ctx, project, 'branches', content) }
}
