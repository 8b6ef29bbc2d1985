import { loadContainer } from '../components/container.ts'
import { filterForm, issuableList, mergeRequestKind } from '../components/issuable-list.ts'
import { html } from '../html.ts'
import { readListFilter } from '../list-filter.ts'
import { readPageNumber, type View } from '../page-context.ts'

const states = ['opened', 'merged', 'closed', 'all'] as const

/** The merge requests of a project or of a group and everything below it, by default the open ones. */
export const view: View = async (ctx, parameters) => {
  const container = await loadContainer(ctx, parameters)
  const mergeRequests = await ctx.session.mergeRequests.list({
    ...container.reference,
    ...readListFilter(ctx),
    state: states.find((state) => state === ctx.query.get('state')) ?? 'opened',
    withLabelsDetails: true,
    page: readPageNumber(ctx),
  })
  const content = html`<h1>Merge requests</h1>
${filterForm(ctx, ['opened', 'merged', 'closed'])}
${issuableList(ctx, mergeRequests, mergeRequestKind, { project: container.project })}`
  return { title: `Merge requests · ${container.fullPath}`, body: container.page('merge_requests', content) }
}
