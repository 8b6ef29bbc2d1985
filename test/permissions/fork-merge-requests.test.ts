import type { FakeForge } from '@forgelet/fixtures'
import { describe } from 'vitest'
import { permissionTable, signedInCallers, type Target, visibilities } from './matrix.ts'

/** Merge requests across projects need permissions in both: these tables vary the role in one of them. */

const newMergeRequest = { source_branch: 'topic', target_branch: 'main', title: 'Add a file' }
const openInTarget = 'POST /projects/:fork/merge_requests'

const createSource = async ({ as, host }: FakeForge) => {
  await as('owner').groups.create({ path: 'source', visibility: 'public' })
  return host.projects.create({ path: 'code', namespace: 'source', visibility: 'public' })
}

describe('from a fork in which the caller has a role, into a public project without members', () => {
  let target: number
  permissionTable(
    `
    call                               anonymous non-member  guest reporter developer maintainer owner admin
    POST   /projects/:id/merge_requests 401      403·403·404 403   403      201       201        201   201
    `,
    {
      prepare: async (forge) => {
        target = (await createSource(forge)).id
        for (const visibility of visibilities)
          await forge.host.forks.link({ project: `${visibility}/code`, forkedFrom: target })
      },
      bodies: { 'POST /projects/:id/merge_requests': () => ({ ...newMergeRequest, target_project_id: target }) },
    },
  )
})

/** Every caller has a private fork of each project. */
const createForks = async ({ host }: FakeForge) => {
  for (const username of signedInCallers)
    for (const visibility of visibilities) {
      const { id } = await host.projects.create({
        path: `of-${visibility}`,
        namespace: username,
        visibility: 'private',
      })
      await host.forks.link({ project: id, forkedFrom: `${visibility}/code` })
    }
}

const ownFork = ({ caller, visibility }: Target) => `${caller === 'anonymous' ? 'owner' : caller}/of-${visibility}`
const intoTarget = {
  prepare: createForks,
  path: { fork: ownFork },
  bodies: { [openInTarget]: ({ project }: Target) => ({ ...newMergeRequest, target_project_id: project }) },
}

describe('from an own private fork, into a project in which the caller has a role', () => {
  permissionTable(
    `
    call                                 anonymous non-member  guest       reporter developer maintainer owner admin
    POST   /projects/:fork/merge_requests 401      201·201·404 201·201·403 201      201       201        201   201
    `,
    intoTarget,
  )
})

describe('into a project with merge requests for members only', () => {
  permissionTable(
    `
    call                                 anonymous non-member  guest       reporter developer maintainer owner admin
    POST   /projects/:fork/merge_requests 401      403·403·404 201·201·403 201      201       201        201   201
    `,
    { ...intoTarget, project: () => ({ mergeRequestsAccessLevel: 'private' }) },
  )
})

describe('into a project without merge requests', () => {
  permissionTable(
    `
    call                                 anonymous non-member  guest reporter developer maintainer owner admin
    POST   /projects/:fork/merge_requests 401      403·403·404 403   403      403       403        403   403
    `,
    { ...intoTarget, project: () => ({ mergeRequestsAccessLevel: 'disabled' }) },
  )
})

describe('forks of a project that only members may fork', () => {
  permissionTable(
    `
    call                       anonymous non-member  guest       reporter developer maintainer owner admin
    POST   /projects/:id/fork  401       403·403·404 201·201·403 201      201       201        201   201
    `,
    {
      project: () => ({ settings: { forkingAccessLevel: 'private' } }),
      external: { 'POST /projects/:id/fork': '403·404·404' },
    },
  )
})

describe('forks of a project that nobody may fork', () => {
  permissionTable(
    `
    call                       anonymous non-member  guest reporter developer maintainer owner admin
    POST   /projects/:id/fork  401       403·403·404 403   403      403       403        403   403
    `,
    { project: () => ({ settings: { forkingAccessLevel: 'disabled' } }) },
  )
})

describe('forks of a public project, in a group in which the caller has a role', () => {
  let source: number
  permissionTable(
    `
    call                         anonymous non-member  guest reporter developer maintainer owner admin
    POST   /projects/:from/fork  401       403·403·404 403   403      201       201        201   201
    `,
    {
      prepare: async (forge) => {
        source = (await createSource(forge)).id
      },
      path: { from: () => source },
      bodies: {
        'POST /projects/:from/fork': ({ visibility }) => ({ namespace_path: visibility, path: 'copy', name: 'copy' }),
      },
    },
  )
})
