import type { DeploymentDetails } from '@forgelet/core/operations'
import { loadProject, projectPage } from '../components/project-page.ts'
import { details, rows, section } from '../components/rows.ts'
import { statusBadge } from '../components/status.ts'
import { day, time } from '../components/time.ts'
import { userLink } from '../components/user.ts'
import { type Html, html } from '../html.ts'
import { type PageContext, readNumber, readPageNumber, type View } from '../page-context.ts'

const deploymentRow = (ctx: PageContext, project: string, deployment: DeploymentDetails): Html => {
  const { iid, status, ref, sha, deployable, user, createdAt } = deployment
  return html`${statusBadge(status)} <span class="title">#${iid}</span>${deployable && html` by job <a href="${ctx.url(deployable.projectPath, '-/jobs', deployable.id)}">${deployable.name}</a>`}
<p class="muted"><code>${ref}</code> at <a class="sha" href="${ctx.url(project, '-/commit', sha)}">${sha.slice(0, 8)}</a>${user && html` by ${userLink(ctx, user)}`}, ${time(createdAt)}</p>`
}

/** An environment and its deployments, newest first. */
export const view: View = async (ctx, { project: path = '', id }) => {
  const number = readNumber(id)
  const [project, environment, deployments] = await Promise.all([
    loadProject(ctx, path),
    ctx.session.environments.get({ project: path, environment: number }),
    ctx.session.deployments.list({ project: path, environment: number, sort: 'desc', page: readPageNumber(ctx) }),
  ])
  const { name, state, tier, externalUrl, description, autoStopAt } = environment
  const content = html`<h1>${name}</h1>
<p><span class="badge">${state}</span></p>
${details({
  Tier: tier,
  Address: externalUrl !== null && html`<a href="${externalUrl}" rel="nofollow noreferrer">${externalUrl}</a>`,
  Stops: autoStopAt !== null && day(autoStopAt),
  Description: description,
})}
${section('deployments', 'Deployments', rows(ctx, deployments, { empty: 'No deployments.', row: (item) => deploymentRow(ctx, project.fullPath, item) }))}`
  return { title: `${name} · ${project.fullPath}`, body: projectPage(ctx, project, 'environments', content) }
}
