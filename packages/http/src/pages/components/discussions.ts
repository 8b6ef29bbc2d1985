import type { Page } from '@forgelet/core'
import type { Discussion, DiscussionNote } from '@forgelet/core/operations'
import { type Html, html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import { markdown, renderTexts } from './markdown.ts'
import { emptyList, pagination } from './pagination.ts'
import { section } from './rows.ts'
import { time } from './time.ts'
import { userLink } from './user.ts'

/** Discussions on one page: the most that a list returns, so that links to comments rarely lead to another page. */
export const discussionsPerPage = 100

const formatPosition = ({ position }: DiscussionNote): Html | false => {
  const line = position?.newLine ?? position?.oldLine
  const path = position?.newPath ?? position?.oldPath
  return (
    typeof path === 'string' && html`<p class="muted">On <code>${path}</code>${line != null && `, line ${line}`}</p>`
  )
}

const noteArticle = (ctx: PageContext, note: DiscussionNote, body: Html | undefined): Html =>
  html`<article class="note-body${note.system && ' system'}" id="note_${note.id}" aria-label="Comment by ${note.author.name}">
<p class="muted">${userLink(ctx, note.author)}, <a href="#note_${note.id}">${time(note.createdAt)}</a>${note.internal && ' · internal'}${note.resolvable && (note.resolved ? ' · resolved' : ' · unresolved')}</p>
${formatPosition(note)}
${markdown(body, '')}
</article>`

/** The page that shows all of a comment; without one, of the description. */
const noteUrl = (ctx: PageContext, note: DiscussionNote | undefined): string => {
  const query = new URLSearchParams(ctx.query)
  query.delete('note')
  if (note) query.set('note', String(note.id))
  return `${ctx.base}${ctx.path}?${query.toString()}${note ? `#note_${note.id}` : ''}`
}

/** A discussion with its rendered comments. */
export interface Thread {
  readonly notes: readonly DiscussionNote[]
  readonly content: Html
}

/** A rendered description, and the discussions of the item. */
interface DescribedItem {
  readonly description: Html
  readonly threads: readonly Thread[]
  /** The section with the comments; by default with all discussions. */
  comments(threads?: readonly Thread[]): Html
}

/** A description and the comments below it, rendered together. */
export const describeAndDiscuss = async (
  ctx: PageContext,
  description: string | null,
  discussions: Page<Discussion>,
  project?: string,
): Promise<DescribedItem> => {
  const notes = discussions.items.flatMap((discussion) => discussion.notes)
  const wanted = notes.findIndex(({ id }) => String(id) === ctx.query.get('note'))
  const [rendered, ...bodies] = await renderTexts(ctx, [description, ...notes.map(({ body }) => body)], {
    project,
    preferred: wanted + 1,
    urlOf: (index) => noteUrl(ctx, notes[index - 1]),
  })
  const byId = new Map(notes.map(({ id }, index) => [id, bodies[index]]))
  const threads = discussions.items.map((discussion) => ({
    notes: discussion.notes,
    content: html`<div class="${discussion.notes.length > 1 ? 'thread replies' : 'thread'}">${discussion.notes.map((note) => noteArticle(ctx, note, byId.get(note.id)))}</div>`,
  }))
  return {
    description: markdown(rendered, 'No description.'),
    threads,
    comments: (shown = threads) =>
      section(
        'comments',
        'Comments',
        html`${shown.length > 0 ? shown.map(({ content }) => content) : emptyList(threads.length > 0 ? 'All comments are beside the changes.' : 'No comments.')}
${pagination(ctx, discussions)}`,
      ),
  }
}
