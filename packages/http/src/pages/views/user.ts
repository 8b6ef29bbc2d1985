import type { Event } from '@forgelet/core/operations'
import { emptyList, pagination } from '../components/pagination.ts'
import { projectList } from '../components/project-list.ts'
import { time } from '../components/time.ts'
import { type Html, html } from '../html.ts'
import { readPageNumber, type View } from '../page-context.ts'

const describeEvent = ({ actionName, targetType, targetTitle, pushData }: Event): Html => {
  if (pushData && pushData.ref === null)
    return html`${actionName} ${String(pushData.refCount)} ${pushData.refType === 'tag' ? 'tags' : 'branches'}`
  if (pushData)
    return html`${actionName} ${pushData.refType} <code>${pushData.ref}</code>${pushData.commitTitle !== null && `: ${pushData.commitTitle}`}`
  return html`${actionName}${targetType !== null && ` ${targetType}`}${targetTitle !== null && `: ${targetTitle}`}`
}

/** The public profile, the personal projects and the activity of a user. */
export const view: View = async (ctx, { path: user = '' }) => {
  const profile = await ctx.session.users.get({ user })
  const [projects, events] = await Promise.all([
    ctx.session.projects.list({ user, page: readPageNumber(ctx) }),
    ctx.session.events.list({ user, page: readPageNumber(ctx, 'activity_page') }),
  ])
  const body = html`<h1>${profile.name}</h1>
<p class="muted">@${profile.username}${profile.state === 'blocked' && ' · blocked'}</p>
<h2>Projects</h2>
${projectList(ctx, projects)}
<h2>Activity</h2>
${
  events.items.length === 0
    ? emptyList('No activity.')
    : html`<ul class="rows">${events.items.map(
        (event) => html`<li>${describeEvent(event)} <span class="muted">${time(event.createdAt)}</span></li>`,
      )}</ul>${pagination(ctx, events, 'activity_page')}`
}`
  return { title: `${profile.name} (@${profile.username})`, body }
}
