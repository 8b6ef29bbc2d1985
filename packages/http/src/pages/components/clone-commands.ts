import type { ProjectDetails } from '@forgelet/core/operations'
import { type Html, html } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import { details, section } from './rows.ts'

const cloneUrl = ({ siteUrl }: PageContext, { fullPath }: ProjectDetails) => `${siteUrl}/${fullPath}.git`

/** The address of the repository for git. */
export const cloneAddress = (ctx: PageContext, project: ProjectDetails): Html | false =>
  details({ Clone: html`<code>${cloneUrl(ctx, project)}</code>` })

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
