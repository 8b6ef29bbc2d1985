import type { FakeForge } from '@forgelet/fixtures'
import { describe } from 'vitest'
import { everyRouteOf, permissionTable, type TableOptions, type Target } from './matrix.ts'

const repositoryOf = async ({ project }: Target, forge: FakeForge) =>
  (await forge.host.containerRepositories.list({ project })).items[0]?.id

const options: TableOptions = {
  project: () => ({ containerRepositories: [{ tags: [{ name: 'v1' }, { name: 'latest' }] }] }),
  path: { repository_id: repositoryOf, tag_name: () => 'v1' },
  bodies: { 'DELETE /projects/:id/registry/repositories/:repository_id/tags': { name_regex_delete: '.*' } },
}

const tags = '/projects/:id/registry/repositories/:repository_id/tags'

describe('the container registry', () => {
  permissionTable(
    `
    call                                                           anonymous   non-member  guest       reporter developer maintainer owner admin
    GET    /projects/:id/registry/repositories                     200·404·404 200·200·404 200·200·403 200      200       200        200   200
    GET    /groups/:id/registry/repositories                       401·404·404 403·403·404 403         200      200       200        200   200
    GET    /registry/repositories/:repository_id                   200·404·404 200·200·404 200·200·403 200      200       200        200   200
    DELETE /projects/:id/registry/repositories/:repository_id      401         403·403·404 403         403      403       202        202   202
    GET    ${tags}                                                 200·404·404 200·200·404 200·200·403 200      200       200        200   200
    GET    ${tags}/:tag_name                                       200·404·404 200·200·404 200·200·403 200      200       200        200   200
    DELETE ${tags}/:tag_name                                       401         403·403·404 403         403      204       204        204   204
    DELETE ${tags}                                                 401         403·403·404 403         403      403       202        202   202
    `,
    options,
  )
})

describe('the container registry of an archived project', () => {
  permissionTable(
    `
    call                                                           anonymous   non-member  guest       reporter developer maintainer owner admin
    GET    /projects/:id/registry/repositories                     200·404·404 200·200·404 200·200·403 200      200       200        200   200
    GET    ${tags}/:tag_name                                       200·404·404 200·200·404 200·200·403 200      200       200        200   200
    DELETE /projects/:id/registry/repositories/:repository_id      401         403·403·404 403         403      403       403        403   403
    DELETE ${tags}/:tag_name                                       401         403·403·404 403         403      403       403        403   403
    DELETE ${tags}                                                 401         403·403·404 403         403      403       403        403   403
    `,
    { ...options, project: () => ({ ...options.project?.('public'), archived: true }) },
  )
})

describe('a disabled container registry', () => {
  permissionTable(
    `
    call                                                           anonymous   non-member  guest       reporter developer maintainer owner admin
    GET    /projects/:id/registry/repositories                     401·404·404 403·403·404 403         403      403       403        403   403
    `,
    { project: () => ({ settings: { containerRegistryAccessLevel: 'disabled' } }) },
  )
})

everyRouteOf('registry', 'container repositories')
