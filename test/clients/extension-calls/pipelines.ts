import { createZip } from '../../support/zip.ts'
import { byOwner, type ClientCalls, type ClientWorld, noCall, type UnsupportedRoutes } from './client-world.ts'

/** A pipeline with a successful job, which has artifacts, a failed job and a manual one. */
const pipeline = async ({ host, project, head }: ClientWorld) => {
  const jobs = [
    { name: 'build', stage: 'build', status: 'success' as const },
    { name: 'ask', stage: 'ask', status: 'manual' as const, allowFailure: true },
  ]
  const { id } = await host.pipelines.record({ project, ref: 'main', sha: head, jobs })
  const { items } = await host.pipelineJobs.list({ project, pipeline: id })
  const jobOf = (name: string) => items.find((job) => job.name === name)?.id as number
  const file = { fileName: 'artifacts.zip', content: createZip([{ path: 'a.txt', content: 'a' }]) }
  await host.pipelineJobs.storeArtifacts({ project, job: jobOf('build'), file })
  return { id, build: jobOf('build'), ask: jobOf('ask') }
}

const content = 'build: { script: make, rules: [{ when: always }] }'

/** A new branch with a pipeline file. */
export const branchWithFile = async ({ host, project, name }: ClientWorld) => {
  const branch = name('ci')
  const author = { name: 'A', email: 'a@example.com' }
  const files = [{ path: '.gitlab-ci.yml', content }]
  await host.commits.import({ project, commits: [{ branch, message: 'Build', author, files }] })
  return branch
}

/** Commit statuses, pipelines and jobs. */
export const pipelineCalls: ClientCalls = {
  'GET /projects/:id/repository/commits/:sha/statuses': byOwner(({ Commits }, { head }) =>
    Commits.allStatuses('acme/web', head),
  ),
  'POST /projects/:id/statuses/:sha': byOwner(({ Commits }, { head, name }) =>
    Commits.editStatus('acme/web', head, 'success', { name: name('check') }),
  ),
  'GET /projects/:id/ci/lint': byOwner(({ Lint }) => Lint.check('acme/web', { dryRun: true })),
  'POST /projects/:id/ci/lint': byOwner(({ Lint }) => Lint.lint('acme/web', content, { includeJobs: true })),
  'POST /projects/:id/pipeline': byOwner(async ({ Pipelines }, world) =>
    Pipelines.create('acme/web', await branchWithFile(world), { variables: [{ key: 'A', value: 'x' }] }),
  ),
  'POST /projects/:id/merge_requests/:merge_request_iid/pipelines': byOwner(async ({ MergeRequests }, world) => {
    const sourceBranch = await branchWithFile(world)
    const { iid } = await world.host.mergeRequests.create({
      project: world.project,
      title: 'CI',
      sourceBranch,
      author: 'alice',
    })
    return MergeRequests.createPipeline('acme/web', iid)
  }),
  'GET /projects/:id/pipelines': byOwner(({ Pipelines }) => Pipelines.all('acme/web', { scope: 'finished' })),
  'GET /projects/:id/pipelines/latest': byOwner(async ({ Pipelines }, world) => {
    await pipeline(world)
    return Pipelines.showLatest('acme/web', { ref: 'main' })
  }),
  'GET /projects/:id/pipelines/:pipeline_id': byOwner(async ({ Pipelines }, world) =>
    Pipelines.show('acme/web', (await pipeline(world)).id),
  ),
  'GET /projects/:id/pipelines/:pipeline_id/variables': byOwner(async ({ Pipelines }, world) =>
    Pipelines.allVariables('acme/web', (await pipeline(world)).id),
  ),
  'GET /projects/:id/pipelines/:pipeline_id/test_report': byOwner(async ({ Pipelines }, world) =>
    Pipelines.showTestReport('acme/web', (await pipeline(world)).id),
  ),
  'GET /projects/:id/pipelines/:pipeline_id/test_report_summary': byOwner(async ({ Pipelines }, world) =>
    Pipelines.showTestReportSummary('acme/web', (await pipeline(world)).id),
  ),
  'POST /projects/:id/pipelines/:pipeline_id/retry': byOwner(async ({ Pipelines }, world) =>
    Pipelines.retry('acme/web', (await pipeline(world)).id),
  ),
  'POST /projects/:id/pipelines/:pipeline_id/cancel': byOwner(async ({ Pipelines }, world) =>
    Pipelines.cancel('acme/web', (await pipeline(world)).id),
  ),
  'DELETE /projects/:id/pipelines/:pipeline_id': byOwner(async ({ Pipelines }, world) =>
    Pipelines.remove('acme/web', (await pipeline(world)).id),
  ),
  'GET /projects/:id/merge_requests/:merge_request_iid/pipelines': byOwner(({ MergeRequests }) =>
    MergeRequests.allPipelines('acme/web', 1),
  ),
  'GET /projects/:id/jobs': byOwner(({ Jobs }) => Jobs.all('acme/web', { scope: 'success' })),
  'GET /projects/:id/pipelines/:pipeline_id/jobs': byOwner(async ({ Jobs }, world) =>
    Jobs.all('acme/web', { pipelineId: (await pipeline(world)).id }),
  ),
  'GET /projects/:id/pipelines/:pipeline_id/bridges': byOwner(async ({ Jobs }, world) =>
    Jobs.allPipelineBridges('acme/web', (await pipeline(world)).id),
  ),
  'GET /projects/:id/jobs/:job_id': byOwner(async ({ Jobs }, world) =>
    Jobs.show('acme/web', (await pipeline(world)).build),
  ),
  'GET /projects/:id/jobs/:job_id/trace': byOwner(async ({ Jobs }, world) =>
    Jobs.showLog('acme/web', (await pipeline(world)).build),
  ),
  'POST /projects/:id/jobs/:job_id/play': byOwner(async ({ Jobs }, world) =>
    Jobs.play('acme/web', (await pipeline(world)).ask),
  ),
  'POST /projects/:id/jobs/:job_id/retry': byOwner(async ({ Jobs }, world) =>
    Jobs.retry('acme/web', (await pipeline(world)).build),
  ),
  'POST /projects/:id/jobs/:job_id/cancel': byOwner(async ({ Jobs }, world) =>
    Jobs.cancel('acme/web', (await pipeline(world)).build),
  ),
  'POST /projects/:id/jobs/:job_id/erase': byOwner(async ({ Jobs }, world) =>
    Jobs.erase('acme/web', (await pipeline(world)).build),
  ),
  'GET /projects/:id/jobs/:job_id/artifacts': byOwner(async ({ JobArtifacts }, world) =>
    JobArtifacts.downloadArchive('acme/web', { jobId: (await pipeline(world)).build }),
  ),
  'GET /projects/:id/jobs/artifacts/:ref_name/download': byOwner(async ({ JobArtifacts }, world) => {
    const { id } = await pipeline(world)
    await world.host.pipelines.finish({ project: world.project, pipeline: id })
    return JobArtifacts.downloadArchive('acme/web', { ref: 'main', job: 'build' })
  }),
  'GET /projects/:id/jobs/:job_id/artifacts/:artifact_path': byOwner(async ({ JobArtifacts }, world) =>
    JobArtifacts.downloadArchive('acme/web', { jobId: (await pipeline(world)).build, artifactPath: 'a.txt' }),
  ),
  'GET /projects/:id/jobs/artifacts/:ref_name/raw/:artifact_path': byOwner(async ({ JobArtifacts }, world) => {
    const { id } = await pipeline(world)
    await world.host.pipelines.finish({ project: world.project, pipeline: id })
    return JobArtifacts.downloadArchive('acme/web', { ref: 'main', job: 'build', artifactPath: 'a.txt' })
  }),
  'DELETE /projects/:id/artifacts': byOwner(({ JobArtifacts }) => JobArtifacts.remove('acme/web')),
  'POST /projects/:id/jobs/:job_id/artifacts/keep': byOwner(async ({ JobArtifacts }, world) =>
    JobArtifacts.keep('acme/web', (await pipeline(world)).build),
  ),
  'DELETE /projects/:id/jobs/:job_id/artifacts': byOwner(async ({ JobArtifacts }, world) =>
    JobArtifacts.remove('acme/web', { jobId: (await pipeline(world)).build }),
  ),
}

export const unsupportedPipelineRoutes: UnsupportedRoutes = {
  'POST /ci/lint': noCall,
  'GET /job': 'the client authenticates all calls with one token, which is not that of a job',
  'PUT /projects/:id/pipelines/:pipeline_id/metadata': noCall,
  'GET /projects/:id/jobs/:job_id/artifacts/tree': noCall,
}
