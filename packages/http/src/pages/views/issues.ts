import { loadContainer } from '../components/container.ts'
import { filterForm, issuableList, issueKind } from '../components/issuable-list.ts'
import { html } from '../html.ts'
import { readListFilter } from '../list-filter.ts'
import { readPageNumber, type View } from '../page-context.ts'

const states = ['opened', 'closed', 'all'] as const

/** The issues of a project or of a group and everything below it, by default the open ones. */
export const view: View = async (ctx, parameters) => {
  const container = await loadContainer(ctx, parameters)
  const issues = await ctx.session.issues.list({
    ...container.reference,
    ...readListFilter(ctx),
    state: states.find((state) => state === ctx.query.get('state')) ?? 'opened',
    withLabelsDetails: true,
    page: readPageNumber(ctx),
  })
  const content = html`<h1>Issues</h1>
${ctx.viewer && html`<p><a href="${container.url('boards')}">Issue boards</a></p>`}
${filterForm(ctx, ['opened', 'closed'])}
${issuableList(ctx, issues, issueKind, { project: container.project })}`
  return { title: `Issues · ${container.fullPath}`, body: container.page('issues', content) }
}
