import type { FakeForge } from '@forgelet/fixtures'
import { describe } from 'vitest'
import { createZip } from '../support/zip.ts'
import { everyRouteOf, permissionTable, visibilities } from './matrix.ts'
import { createBranches } from './merge-request-branches.ts'

const author = { name: 'A', email: 'a@example.com', date: '2026-01-01T00:00:00Z' }

const prepare = async ({ host }: FakeForge) => {
  for (const visibility of visibilities) {
    const commits = [{ message: 'x', author, files: [{ path: 'README.md', content: 'hello\n' }] }]
    await host.commits.import({ project: `${visibility}/code`, commits })
  }
}

describe('commit statuses', () => {
  permissionTable(
    `
    call                                              anonymous   non-member  guest       reporter developer maintainer owner admin
    GET  /projects/:id/repository/commits/main/statuses 200·404·404 200·200·404 200·200·403 200    200       200        200   200
    POST /projects/:id/statuses/main                  401         403·403·404 403         403      201       201        201   201
    `,
    { prepare, bodies: { 'POST /projects/:id/statuses/main': { state: 'success' } } },
  )
})

/** A pipeline with a job that has ended, a failed one and a manual one. */
const prepareRecords = async (forge: FakeForge) => {
  await prepare(forge)
  const { pipelines, pipelineJobs, mergeRequests } = forge.host
  for (const visibility of visibilities) {
    const project = `${visibility}/code`
    const { id } = await pipelines.record({
      project,
      ref: 'main',
      sha: 'a'.repeat(40),
      jobs: [
        { name: 'build', stage: 'build', status: 'success' },
        { name: 'ask', stage: 'ask', status: 'manual', startsWhen: 'manual', allowFailure: true },
      ],
    })
    const { items } = await pipelineJobs.list({ project, pipeline: id })
    const file = { fileName: 'a.zip', content: createZip([{ path: 'a.txt', content: 'a' }]) }
    for (const { id: job } of items) await pipelineJobs.storeArtifacts({ project, job, file })
    await mergeRequests.create({ project, title: 'x', sourceBranch: 'topic', author: 'developer' })
  }
}

const readFirst = async ({ host }: FakeForge, visibility: string) =>
  (await host.pipelines.list({ project: `${visibility}/code` })).items[0]?.id as number

const readJob =
  (name: string) =>
  async ({ visibility }: { visibility: string }, forge: FakeForge) => {
    const project = `${visibility}/code`
    const { items } = await forge.host.pipelineJobs.list({
      project,
      pipeline: await readFirst(forge, visibility),
    })
    return items.find((job) => job.name === name)?.id
  }

const readers = '200·404·404 200·200·404 200 200 200 200 200 200'
const codeReaders = '200·404·404 200·200·404 200·200·403 200 200 200 200 200'
const developers = '401 403·403·404 403 403 200 200 200 200'
const creators = developers.replaceAll('200', '201')
const maintainers = (status: number) => `401 403·403·404 403 403 403 ${status} ${status} ${status}`

describe('pipelines and jobs', () => {
  const base = '/projects/:id/pipelines'
  const read = ['', '/latest', '/:pipeline_id', '/:pipeline_id/test_report', '/:pipeline_id/test_report_summary']
    .concat('/:pipeline_id/jobs', '/:pipeline_id/bridges')
    .map((path) => `GET ${base}${path} ${readers}`)
  permissionTable(
    [
      ...read,
      `GET ${base}/:pipeline_id/variables ${maintainers(200)}`,
      `POST ${base}/:pipeline_id/retry ${creators}`,
      `POST ${base}/:pipeline_id/cancel ${developers}`,
      `PUT ${base}/:pipeline_id/metadata ${developers}`,
      // Only the token of a job has a job.
      'GET /job 401 404 404 404 404 404 404 404',
      `DELETE ${base}/:pipeline_id 401 403·403·404 403 403 403 403 204 204`,
      ...['', '/:job_id', '/:job_id/trace', '/:job_id/artifacts', '/artifacts/main/download?job=build']
        .concat('/:job_id/artifacts/tree', '/:job_id/artifacts/a.txt', '/artifacts/main/raw/a.txt?job=build')
        .map((path) => `GET /projects/:id/jobs${path} ${readers}`),
      `POST /projects/:id/jobs/:manual_job/play ${developers}`,
      ...['retry', 'cancel', 'erase'].map((action) => `POST /projects/:id/jobs/:job_id/${action} ${creators}`),
      `POST /projects/:id/jobs/:job_id/artifacts/keep ${developers}`,
      `DELETE /projects/:id/jobs/:job_id/artifacts ${maintainers(204)}`,
      `DELETE /projects/:id/artifacts ${maintainers(202)}`,
    ].join('\n'),
    {
      prepare: prepareRecords,
      external: { 'GET /job': '404' },
      bodies: { [`PUT ${base}/:pipeline_id/metadata`]: { name: 'Release' } },
      path: {
        pipeline_id: ({ visibility }, forge) => readFirst(forge, visibility),
        job_id: readJob('build'),
        manual_job: readJob('ask'),
      },
    },
  )
})

const pipelineFile = 'build: { script: make, rules: [{ when: on_success }] }'

const prepareFile = async (forge: FakeForge) => {
  for (const visibility of visibilities) {
    const commits = [{ message: 'x', author, files: [{ path: '.gitlab-ci.yml', content: pipelineFile }] }]
    await forge.host.commits.import({ project: `${visibility}/code`, commits })
  }
}

describe('pipeline files', () => {
  const lint = '/projects/:id/ci/lint'
  permissionTable(
    [
      `GET ${lint} ${codeReaders}`,
      `POST ${lint} ${developers}`,
      'POST /ci/lint 401 200 200 200 200 200 200 200',
      `POST /projects/:id/pipeline ${creators}`,
    ].join('\n'),
    {
      prepare: prepareFile,
      personal: [],
      external: { 'POST /ci/lint': '200' },
      bodies: {
        [`POST ${lint}`]: { content: pipelineFile },
        'POST /ci/lint': { content: pipelineFile },
        'POST /projects/:id/pipeline': { ref: 'main' },
      },
    },
  )
})

describe('who can see pipelines, by the settings of the project', () => {
  const base = '/projects/:id'
  const routes = [
    ...[
      'pipelines',
      'pipelines/latest',
      'pipelines/:pipeline_id',
      'pipelines/:pipeline_id/jobs',
      'jobs',
      'jobs/:job_id',
    ],
    ...['pipelines/:pipeline_id/test_report', 'pipelines/:pipeline_id/bridges', 'jobs/:job_id/trace'],
    ...['jobs/:job_id/artifacts', 'jobs/:job_id/artifacts/tree', 'jobs/:job_id/artifacts/a.txt', 'pipeline_schedules'],
    'jobs/artifacts/main/download?job=build',
  ]
  const table: readonly (readonly [string, string, boolean, string, string])[] = [
    ['enabled', 'enabled', true, readers, codeReaders],
    [
      'private',
      'enabled',
      true,
      '401·404·404 403·403·404 200 200 200 200 200 200',
      '401·404·404 403·403·404 200·200·403 200 200 200 200 200',
    ],
    [
      'enabled',
      'private',
      true,
      '401·404·404 403·403·404 200 200 200 200 200 200',
      '401·404·404 403·403·404 403 200 200 200 200 200',
    ],
    [
      'enabled',
      'enabled',
      false,
      '401·404·404 403·403·404 403 200 200 200 200 200',
      '401·404·404 403·403·404 403 200 200 200 200 200',
    ],
    [
      'private',
      'enabled',
      false,
      '401·404·404 403·403·404 403 200 200 200 200 200',
      '401·404·404 403·403·404 403 200 200 200 200 200',
    ],
    [
      'disabled',
      'enabled',
      true,
      '401·404·404 403·403·404 403 403 403 403 403 403',
      '401·404·404 403·403·404 403 403 403 403 403 403',
    ],
    [
      'enabled',
      'disabled',
      true,
      '401·404·404 403·403·404 403 403 403 403 403 403',
      '401·404·404 403·403·404 403 403 403 403 403 403',
    ],
  ]
  for (const [buildsAccessLevel, repositoryAccessLevel, publicJobs, seen, statuses] of table)
    describe(`builds ${buildsAccessLevel}, repository ${repositoryAccessLevel}, public jobs: ${publicJobs}`, () => {
      const ids = new Map<string, { readonly pipeline: number; readonly job: number }>()
      const prepareSettings = async (forge: FakeForge) => {
        await prepareRecords(forge)
        const { host } = forge
        for (const visibility of visibilities) {
          const project = `${visibility}/code`
          const pipeline = await readFirst(forge, visibility)
          const { items } = await host.pipelineJobs.list({ project, pipeline })
          ids.set(visibility, { pipeline, job: items.find(({ name }) => name === 'build')?.id as number })
          const settings = { buildsAccessLevel, publicJobs } as { buildsAccessLevel: 'enabled'; publicJobs: boolean }
          const level = repositoryAccessLevel as 'enabled'
          await host.projects.update({ project, settings, repositoryAccessLevel: level })
        }
      }
      permissionTable(
        [
          ...routes.map((route) => `GET ${base}/${route} ${seen}`),
          `GET ${base}/repository/commits/main/statuses ${statuses}`,
        ].join('\n'),
        {
          prepare: prepareSettings,
          path: {
            pipeline_id: ({ visibility }) => ids.get(visibility)?.pipeline,
            job_id: ({ visibility }) => ids.get(visibility)?.job,
          },
        },
      )
    })
})

describe('pipelines of a merge request', () => {
  permissionTable(
    `
    call                                         anonymous   non-member  guest reporter developer maintainer owner admin
    GET /projects/:id/merge_requests/1/pipelines 200·404·404 200·200·404 - 200   200       200        200   200
    POST /projects/:id/merge_requests/1/pipelines 401 403·403·404 - 403   201       201        201   201
    `,
    {
      users: ['writer'],
      project: () => ({ mergeRequests: [{ title: 'A change', author: 'writer', sourceBranch: 'change' }] }),
      prepare: createBranches,
    },
  )
})

everyRouteOf('commit statuses', 'pipelines', 'pipeline jobs', 'ci lint')
