import { formatSshUrl, type ProjectDetails } from '@forgelet/core/operations'
import { type Html, html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import { accountUrl } from './account-page.ts'
import { hasLevel } from './project-page.ts'
import { details, section } from './rows.ts'

const cloneUrl = ({ siteUrl }: PageContext, { fullPath }: ProjectDetails) => `${siteUrl}/${fullPath}.git`

/** The addresses of the repository for git. */
export const cloneAddress = (ctx: PageContext, project: ProjectDetails): Html | false =>
  details({
    Clone: html`<code>${cloneUrl(ctx, project)}</code>`,
    'Clone with SSH':
      ctx.sshPort !== undefined && html`<code>${formatSshUrl(project, ctx.siteUrl, ctx.sshPort)}</code>`,
  })

/** The level that can push. */
const developer = 30

/** Asks a user who can push, but has no SSH key, to add one. */
export const sshKeyHint = async (ctx: PageContext, project: ProjectDetails): Promise<Html | false> => {
  if (ctx.sshPort === undefined || ctx.viewer?.id === undefined || !hasLevel(ctx, project, developer)) return false
  if (!(await ctx.readSettings()).userShowAddSshKeyMessage) return false
  const { items } = await ctx.session.keys.list({ perPage: 1 })
  return (
    items.length === 0 &&
    html`<p class="muted">You cannot pull or push with SSH until you <a href="${accountUrl(ctx, 'keys')}">add an SSH key</a>.</p>`
  )
}

/** Commands that fill an empty repository. */
export const pushCommands = (ctx: PageContext, project: ProjectDetails): Html => {
  const url = cloneUrl(ctx, project)
  const branch = project.defaultBranch ?? 'main'
  return section(
    'push',
    'Push code',
    html`<p class="muted">Git asks for a username and a password: a personal access token with the scope <code>write_repository</code> is accepted as the password.</p>
<h3>Create a new repository</h3>
<pre class="commands">git clone ${url}
cd ${project.path}
git switch --create ${branch}
touch README.md
git add README.md
git commit -m "Add README"
git push --set-upstream origin ${branch}</pre>
<h3>Push an existing repository</h3>
<pre class="commands">cd existing_repository
git remote add origin ${url}
git push --set-upstream origin --all
git push --set-upstream origin --tags</pre>`,
  )
}
