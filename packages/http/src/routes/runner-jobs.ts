import { features, type PipelineJobDetails, type RunnerJob } from '@forgelet/core/operations'
import * as v from 'valibot'
import { ConfirmationWire, created, type Responder } from '../reply/responders.ts'
import type { Site } from '../reply/wire.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { RunnerJobWire } from '../shapes/runner-job.ts'
import { archive } from './jobs.ts'

const { pipelineJobs, runners } = features

/** The job, or 204 without one. */
const jobOrNothing: Responder<RunnerJob | null> = Object.assign(
  (job: RunnerJob | null, site: Site) =>
    job === null ? { status: 204 } : { status: 201, body: RunnerJobWire(job, site) },
  { status: 201, otherStatuses: [204], shape: RunnerJobWire },
)

/** Runners stop jobs whose status is `canceled`. */
const jobStatus: Responder<Pick<PipelineJobDetails, 'status'>> = Object.assign(
  ({ status }: Pick<PipelineJobDetails, 'status'>) => ({
    status: 200,
    body: { message: '200 OK' },
    headers: { 'Job-Status': status },
  }),
  { status: 200, shape: ConfirmationWire },
)

const traceRange: Responder<{ readonly status: string; readonly size: number }> = Object.assign(
  ({ status, size }: { readonly status: string; readonly size: number }) => ({
    status: 202,
    body: { message: '202 Accepted' },
    headers: { 'Job-Status': status, Range: `0-${size}` },
  }),
  { status: 202, shape: ConfirmationWire },
)

const options = { extension: true, names: { job_id: 'job' }, hidden: ['project'] } satisfies RouteOptions
const states = v.optional(v.picklist(['running', 'success', 'failed']))

/** The protocol of the program `gitlab-runner`. */
export const runnerJobRoutes = [
  route('POST /jobs/request', runners.takeJob, jobOrNothing, { extension: true }),
  route('PUT /jobs/:job_id', pipelineJobs.update, jobStatus, {
    ...options,
    names: { job_id: 'job', state: 'status' },
    hidden: ['project', 'coverage'],
    accepts: { state: states },
  }),
  route('PATCH /jobs/:job_id/trace', pipelineJobs.writeTrace, traceRange, {
    ...options,
    fixedInput: { append: true },
    stream: 'content',
    rangeStart: 'offset',
  }),
  route('POST /jobs/:job_id/artifacts', pipelineJobs.storeArtifacts, created(), {
    ...options,
    hidden: ['project', 'expiresAt'],
    files: ['file'],
    maxBodySize: 104_857_600,
  }),
  route('GET /jobs/:job_id/artifacts', pipelineJobs.getArtifacts, archive, {
    ...options,
    hidden: ['project', 'ref', 'name'],
    errors: [422],
  }),
]
