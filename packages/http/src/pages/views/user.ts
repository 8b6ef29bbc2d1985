import { eventRow } from '../components/event.ts'
import { ifPermitted } from '../components/permitted.ts'
import { projectList } from '../components/project-list.ts'
import { count, details, rows, section, total } from '../components/rows.ts'
import { day } from '../components/time.ts'
import { html } from '../html.ts'
import { readPageNumber, type View } from '../page-context.ts'

/** Addresses of other schemes would run as scripts. */
const websiteLink = (url: string) =>
  url !== '' && (/^https?:\/\//i.test(url) ? html`<a href="${url}" rel="nofollow noreferrer me">${url}</a>` : url)

/** The public profile, the personal projects and the activity of a user. */
export const view: View = async (ctx, { path: user = '' }) => {
  const profile = await ctx.session.users.get({ user })
  const [projects, events] = await Promise.all([
    ctx.session.projects.list({ user, page: readPageNumber(ctx) }),
    ifPermitted(ctx.session.events.list({ user, page: readPageNumber(ctx, 'activity_page') })),
  ])
  const { name, username, state, bio, followers, following, createdAt } = profile
  const body = html`<h1>${name}</h1>
<p class="muted">@${username}${profile.pronouns !== '' && ` · ${profile.pronouns}`}${profile.bot && ' · bot'}${state !== 'active' && ` · ${state}`}</p>
${bio !== '' && html`<p>${bio}</p>`}
${details({
  Work: [profile.jobTitle, profile.organization].filter((text) => text !== '').join(', ') || false,
  Location: profile.location || false,
  Website: websiteLink(profile.websiteUrl),
  'E-mail': profile.publicEmail && html`<a href="mailto:${profile.publicEmail}">${profile.publicEmail}</a>`,
  'Member since': createdAt !== undefined && day(createdAt),
  Followers:
    followers !== undefined && following !== undefined && `${count(followers, 'follower')}, ${following} followed`,
})}
${section('projects', html`Projects${total(projects)}`, projectList(ctx, projects))}
${
  events &&
  section(
    'activity',
    'Activity',
    rows(ctx, events, {
      empty: 'No activity.',
      parameter: 'activity_page',
      row: (event) => eventRow(ctx, event, false),
    }),
  )
}`
  return { title: `${name} (@${username})`, body }
}
