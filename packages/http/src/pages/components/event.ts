import type { Event } from '@forgelet/core/operations'
import { type Html, html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import { noteUrl } from './note-url.ts'
import { fileUrl } from './project-page.ts'
import { count } from './rows.ts'
import { time } from './time.ts'
import { userLink } from './user.ts'

const findTargetUrl = (ctx: PageContext, event: Event): string | undefined => {
  const { projectPath, targetType, targetIid } = event
  if (targetIid === null) return undefined
  switch (targetType) {
    case 'Issue':
      return ctx.url(projectPath, '-/issues', targetIid)
    case 'MergeRequest':
      return ctx.url(projectPath, '-/merge_requests', targetIid)
    case 'Milestone':
      return ctx.url(projectPath, '-/milestones', targetIid)
    case 'Note':
      return event.note && noteUrl(ctx, projectPath, event.note)
    default:
      return undefined
  }
}

const describePush = (ctx: PageContext, { actionName, projectPath, pushData }: Event): Html | undefined => {
  if (pushData === undefined) return undefined
  const { ref, refType, refCount, commitTo, commitTitle, commitCount } = pushData
  if (ref === null) return html`${actionName} ${String(refCount)} ${refType === 'tag' ? 'tags' : 'branches'}`
  const name = html`<code>${ref}</code>`
  const link =
    commitTo === null
      ? name
      : html`<a href="${fileUrl(ctx, projectPath, { kind: 'commits', ref, path: '' })}">${name}</a>`
  const commit =
    commitTo !== null &&
    commitTitle !== null &&
    html`: <a href="${ctx.url(projectPath, '-/commit', commitTo)}">${commitTitle}</a>${commitCount > 1 && ` (${count(commitCount, 'commit')})`}`
  return html`${actionName} ${refType} ${link}${commit}`
}

const kindNames = { Issue: 'issue', MergeRequest: 'merge request', Milestone: 'milestone', Note: '', Project: '' }

const describeTarget = (ctx: PageContext, event: Event): Html => {
  const { actionName, targetType, targetTitle } = event
  if (targetType === null || targetTitle === null) return html`${actionName}`
  const url = findTargetUrl(ctx, event)
  return html`${actionName} ${kindNames[targetType]} ${url === undefined ? targetTitle : html`<a href="${url}">${targetTitle}</a>`}`
}

/** An action with links to its target and its project. */
export const eventRow = (ctx: PageContext, event: Event, hasAuthor: boolean): Html =>
  html`${hasAuthor && userLink(ctx, event.author)} ${describePush(ctx, event) ?? describeTarget(ctx, event)}
<span class="muted">in <a href="${ctx.url(event.projectPath)}">${event.projectPath}</a>, ${time(event.createdAt)}</span>`
