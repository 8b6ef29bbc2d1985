import type { FakeForge } from '@forgelet/fixtures'
import { describe } from 'vitest'
import { everyRouteOf, permissionTable, type Target, visibilities } from './matrix.ts'

/** Each project permits the job tokens of one other project and one other group. */
const prepare = async ({ host }: FakeForge) => {
  const { id: targetProject } = await host.projects.create({ name: 'target', namespace: 'public' })
  const { id: targetGroup } = await host.groups.create({ name: 'targets', path: 'targets', parent: 'public' })
  const { id: other } = await host.projects.create({ name: 'other', namespace: 'public' })
  await host.groups.update({ group: targetGroup, visibility: 'public' })
  for (const project of [targetProject, other]) await host.projects.update({ project, visibility: 'public' })
  for (const visibility of visibilities) {
    const project = `${visibility}/code`
    await host.jobTokenScopes.addProject({ project, targetProject })
    await host.jobTokenScopes.addGroup({ project, targetGroup })
  }
}

const readProject = async (_target: Target, { host }: FakeForge) =>
  (await host.projects.get({ project: 'public/target' })).id
const readGroup = async (_target: Target, { host }: FakeForge) =>
  (await host.groups.get({ group: 'public/targets' })).id

describe('the scope of job tokens', () => {
  const base = '/projects/:id/job_token_scope'
  const maintainers = (status = 200) => `401 403·403·404 403 403 403 ${status} ${status} ${status}`
  permissionTable(
    [
      `GET ${base} ${maintainers()}`,
      `PATCH ${base} ${maintainers(204)}`,
      `GET ${base}/allowlist ${maintainers()}`,
      `POST ${base}/allowlist ${maintainers(201)}`,
      `DELETE ${base}/allowlist/:target_project_id ${maintainers(204)}`,
      `GET ${base}/groups_allowlist ${maintainers()}`,
      `POST ${base}/groups_allowlist ${maintainers(201)}`,
      `DELETE ${base}/groups_allowlist/:target_group_id ${maintainers(204)}`,
    ].join('\n'),
    {
      prepare,
      path: { target_project_id: readProject, target_group_id: readGroup },
      bodies: {
        [`PATCH ${base}`]: { enabled: false },
        [`POST ${base}/allowlist`]: async (_target, { host }) => ({
          target_project_id: (await host.projects.get({ project: 'public/other' })).id,
        }),
        [`POST ${base}/groups_allowlist`]: async (_target, { host }) => ({
          target_group_id: (await host.groups.get({ group: 'public' })).id,
        }),
      },
    },
  )
})

everyRouteOf('job token scopes')
