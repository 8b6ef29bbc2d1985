import type { Board, BoardList } from '@forgelet/core/operations'
import { loadContainer, type PageContainer } from '../components/container.ts'
import { issuableList, issueKind } from '../components/issuable-list.ts'
import { section } from '../components/rows.ts'
import { type Html, html } from '../html.ts'
import { type PageContext, readNumber, readPageNumber, type View } from '../page-context.ts'

/** Columns on a page. */
const maxLists = 20

const listName = ({ label, milestone, assignee }: BoardList): string =>
  label?.name ?? milestone?.title ?? assignee?.name ?? 'List'

/** The open issues of a column, within the scope of the board. */
const column = async (ctx: PageContext, container: PageContainer, board: Board, list: BoardList): Promise<Html> => {
  const labels = [...board.labels, ...(list.label ? [list.label] : [])].map(({ name }) => name)
  const milestone = list.milestone ?? board.milestone
  const assignee = list.assignee ?? board.assignee
  const parameter = `list_${list.id}_page`
  const issues = await ctx.session.issues.list({
    ...container.reference,
    state: 'opened',
    ...(labels.length > 0 && { labels }),
    ...(milestone && { milestone: milestone.title }),
    ...(assignee && { assigneeUsername: [assignee.username] }),
    withLabelsDetails: true,
    page: readPageNumber(ctx, parameter),
  })
  const options = { project: container.project, parameter }
  return section(`list-${list.id}`, listName(list), issuableList(ctx, issues, issueKind, options))
}

/** An issue board: its lists with their open issues, one below the other. */
export const view: View = async (ctx, parameters) => {
  const container = await loadContainer(ctx, parameters)
  const board = await ctx.session.boards.get({ ...container.reference, board: readNumber(parameters.id) })
  const columns: Html[] = []
  for (const list of board.lists.slice(0, maxLists)) columns.push(await column(ctx, container, board, list))
  const content = html`<h1>${board.name}</h1>
<p><a href="${container.url('boards')}">All boards</a></p>
${columns.length === 0 && html`<p class="empty">The board has no lists.</p>`}
${columns}`
  return { title: `${board.name} · ${container.fullPath}`, body: container.page('issues', content) }
}
