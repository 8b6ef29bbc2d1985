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
      `GET /runners/:runner_id/jobs ${maintainers()}`,
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

/** Ids and tokens of running jobs by the visibility of their project. */
const jobs = new Map<string, { readonly id: number; readonly token: string }>()

const prepareJobs = async (forge: FakeForge) => {
  const { host } = forge
  for (const visibility of visibilities) {
    const project = `${visibility}/code`
    const recorded = { project, ref: 'main', sha: 'a'.repeat(40), user: 'developer' }
    await host.pipelines.record({ ...recorded, jobs: [{ name: 'build', status: 'pending' }] })
    const [job] = (await host.pipelineJobs.list({ project })).items
    const id = job?.id ?? 0
    jobs.set(visibility, { id, token: (await host.pipelineJobs.createToken({ project, job: id })).token })
  }
  await prepare(forge)
}

const jobToken = ({ visibility }: Target) => ({ token: jobs.get(visibility)?.token })

const artifacts = ({ visibility }: Target) => {
  const form = new FormData()
  form.set('token', jobs.get(visibility)?.token ?? '')
  form.set('file', new File(['x'], 'artifacts.zip'))
  return form
}

describe('jobs of runners', () => {
  // Only the token of the runner or of the job matters.
  permissionTable(
    [
      `POST /jobs/request ${everybody(204)}`,
      `PUT /jobs/:job_id ${everybody(200)}`,
      `POST /jobs/:job_id/artifacts ${everybody(201)}`,
      `PATCH /jobs/:job_id/trace ${everybody(404)}`,
      `GET /jobs/:job_id/artifacts ${everybody(404)}`,
    ].join('\n'),
    {
      prepare: prepareJobs,
      path: { job_id: ({ visibility }) => jobs.get(visibility)?.id },
      bodies: {
        'POST /jobs/request': token,
        'PUT /jobs/:job_id': (target) => ({ ...jobToken(target), state: 'success' }),
        'POST /jobs/:job_id/artifacts': artifacts,
      },
    },
  )
})

everyRouteOf('runners', 'runner jobs')
