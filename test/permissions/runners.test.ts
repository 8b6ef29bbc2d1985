import type { FakeForge } from '@forgelet/fixtures'
import { describe } from 'vitest'
import { everyRouteOf, permissionTable, type Target, visibilities } from './matrix.ts'

/** Runner tokens and ids by the visibility of the project. */
const runners = new Map<string, { readonly id: number; readonly token: string }>()

const prepare = async ({ host }: FakeForge) => {
  for (const visibility of visibilities) {
    const project = `${visibility}/code`
    runners.set(visibility, await host.runners.create({ project }))
  }
}

const token = ({ visibility }: Target) => ({ token: runners.get(visibility)?.token })
const maintainers = (status = 200) => `401 403 403 403 403 ${status} ${status} ${status}`
const inProject = (status = 200) => `401 403·403·404 403 403 403 ${status} ${status} ${status}`
const inGroup = (status = 200) => `401 403·403·404 403 403 403 403 ${status} ${status}`
const everybody = (status: number) => Array(8).fill(status).join(' ')

const byId = {
  prepare,
  path: { runner_id: ({ visibility }: Target) => runners.get(visibility)?.id },
} as const

describe('runners of places', () => {
  permissionTable(
    [
      'GET /runners 401 200 200 200 200 200 200 200',
      'GET /runners/all 401 403 403 403 403 403 403 200',
      `GET /projects/:id/runners ${inProject()}`,
      `GET /groups/:id/runners ${inGroup()}`,
      'POST /runners/reset_registration_token 401 403 403 403 403 403 403 201',
      `POST /groups/:id/runners/reset_registration_token ${inGroup(201)}`,
      `POST /projects/:id/runners/reset_registration_token ${inProject(201)}`,
      `POST /projects/:id/runners ${inProject(409)}`,
      `DELETE /projects/:id/runners/:runner_id ${inProject(403)}`,
      'POST /user/runners 401 403 403 403 403 403 403 201',
    ].join('\n'),
    {
      ...byId,
      bodies: {
        'POST /user/runners': { runner_type: 'instance_type' },
        'POST /projects/:id/runners': ({ visibility }) => ({ runner_id: runners.get(visibility)?.id }),
      },
    },
  )
})

describe('single runners', () => {
  permissionTable(
    [
      `GET /runners/:runner_id ${maintainers()}`,
      `PUT /runners/:runner_id ${maintainers()}`,
      `DELETE /runners/:runner_id ${maintainers(204)}`,
      `POST /runners/:runner_id/reset_authentication_token ${maintainers(201)}`,
      // Only the token matters.
      `DELETE /runners ${everybody(204)}`,
      `POST /runners ${everybody(403)}`,
      `POST /runners/verify ${everybody(200)}`,
      `POST /runners/reset_authentication_token ${everybody(201)}`,
    ].join('\n'),
    {
      ...byId,
      bodies: {
        'PUT /runners/:runner_id': { description: 'x' },
        'DELETE /runners': token,
        'POST /runners': { token: 'unknown' },
        'POST /runners/verify': token,
        'POST /runners/reset_authentication_token': token,
      },
    },
  )
})

everyRouteOf('runners')
