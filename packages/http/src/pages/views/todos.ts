import type { Todo } from '@forgelet/core/operations'
import { actionButton } from '../components/account-page.ts'
import { rows } from '../components/rows.ts'
import { time } from '../components/time.ts'
import { userLink } from '../components/user.ts'
import { findFormError, requireUser, type Submit, seeOther } from '../form.ts'
import { type Html, html } from '../html.ts'
import { type PageContext, readNumber, readPageNumber, type View } from '../page-context.ts'

const segments = { Issue: 'issues', MergeRequest: 'merge_requests', Epic: 'epics' } as const
const members = { Project: 'project_members', Namespace: 'group_members' } as const
const signs = { Issue: '#', MergeRequest: '!', Epic: '&' } as const

interface Target {
  readonly url: string
  readonly title: string
  /** Such as `acme/web#1`. */
  readonly reference: string
}

const describeTarget = (ctx: PageContext, todo: Todo): Target => {
  const { project, group, noteId } = todo
  const fullPath = project?.pathWithNamespace ?? group?.fullPath ?? ''
  const parent = project ? fullPath : `groups/${fullPath}`
  if (todo.targetType === 'Project' || todo.targetType === 'Namespace')
    return { url: ctx.url(parent, '-', members[todo.targetType]), title: todo.target.name, reference: fullPath }
  const { iid, title } = todo.target
  return {
    url: `${ctx.url(parent, '-', segments[todo.targetType], iid)}${noteId === null ? '' : `#note_${noteId}`}`,
    title,
    reference: `${fullPath}${signs[todo.targetType]}${iid}`,
  }
}

/** What follows the name of the author. */
const causes: Readonly<Record<Todo['actionName'], string>> = {
  assigned: ' assigned you',
  mentioned: ' mentioned you',
  directly_addressed: ' addressed you',
  marked: ' marked it',
  build_failed: ': a pipeline failed',
  approval_required: ' asks for your approval',
  unmergeable: ': it cannot be merged',
  review_requested: ' requests your review',
  member_access_requested: ' requests access',
}

const todoRow = (ctx: PageContext, todo: Todo): Html => {
  const { url, title, reference } = describeTarget(ctx, todo)
  return html`<a class="title" href="${url}">${title}</a>
<span class="muted">${reference}</span>
<p class="muted">${userLink(ctx, todo.author)}${causes[todo.actionName]}, ${time(todo.createdAt)}</p>
${todo.state === 'pending' && actionButton(ctx.url('-/todos'), { name: 'done', value: todo.id, text: 'Done', label: `Mark ${title} as done` })}`
}

/** The to-do items of the visitor. */
export const view: View = async (ctx) => {
  const isDone = ctx.query.get('state') === 'done'
  const todos = await ctx.session.todos.list({ state: isDone ? 'done' : 'pending', page: readPageNumber(ctx) })
  const tabs = [
    ['', 'To do', !isDone],
    ['?state=done', 'Done', isDone],
  ] as const
  const body = html`<h1>To-do items</h1>
<nav class="sections" aria-label="State"><ul>${tabs.map(
    ([query, name, isCurrent]) =>
      html`<li><a href="${ctx.url('-/todos')}${query}"${isCurrent && html` aria-current="page"`}>${name}</a></li>`,
  )}</ul></nav>
${rows(ctx, todos, { empty: 'No to-do items.', row: (todo) => todoRow(ctx, todo) })}`
  return { title: 'To-do items', body }
}

/** Marks a to-do item as done. One that is gone is done. */
export const submit: Submit = async (ctx, form) => {
  requireUser(ctx)
  await findFormError(() => ctx.session.todos.finish({ todo: readNumber(form.get('done') ?? undefined) }))
  return seeOther(ctx.url('-/todos'))
}
