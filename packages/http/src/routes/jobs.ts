import { features, type JobArtifactContent } from '@forgelet/core/operations'
import { formatAttachment } from '../reply/content-disposition.ts'
import { accepted, empty, file, one, page } from '../reply/responders.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { ArtifactTreeEntryWire, BridgeWire, JobWire } from '../shapes/job.ts'

const { pipelineJobs } = features

/** Browsers must not run content of jobs with the origin of this site. */
const sandboxHeaders = { 'Content-Security-Policy': "sandbox; default-src 'none'" } as const

const trace = file(['text/plain'], ({ content }: { readonly content: string }) => ({
  bytes: new TextEncoder().encode(content),
  headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Content-Disposition': 'inline', ...sandboxHeaders },
}))

export const archive = file(['application/octet-stream'], ({ fileName, size, content }: JobArtifactContent) => ({
  bytes: content,
  headers: {
    'Content-Length': String(size),
    'Content-Type': 'application/octet-stream',
    'Content-Disposition': formatAttachment(fileName, 'artifacts.zip'),
    ...sandboxHeaders,
  },
}))

/** The size is that of the directory of the archive: the connection ends early if the content has another one. */
const archivedFile = file(
  ['application/octet-stream'],
  ({ fileName, size, content }: JobArtifactContent) => ({
    bytes: content,
    headers: {
      'Content-Length': String(size),
      'Content-Type': 'application/octet-stream',
      'Content-Disposition': formatAttachment(fileName, 'artifact'),
      ...sandboxHeaders,
    },
  }),
  [],
  false,
)

const base = '/projects/:id/jobs'
const jobPath = `${base}/:job_id` as const
const pipelinePath = '/projects/:id/pipelines/:pipeline_id'

const extension = { extension: true, errors: [422] } satisfies RouteOptions
const options = { ...extension, names: { job_id: 'job' } } satisfies RouteOptions
const artifactOptions = { ...options, hidden: ['ref', 'name'] } satisfies RouteOptions
const refOptions = {
  ...extension,
  names: { ref_name: 'ref', job: 'name' },
  hidden: ['job'],
  required: ['job'],
} satisfies RouteOptions
const pipelineOptions = { ...extension, names: { pipeline_id: 'pipeline' } } satisfies RouteOptions

export const jobRoutes = [
  route('GET /job', pipelineJobs.getCurrent, one(JobWire), extension),
  route(`GET ${base}`, pipelineJobs.list, page(JobWire), { ...extension, hidden: ['pipeline', 'includeRetried'] }),
  route(`GET ${pipelinePath}/jobs`, pipelineJobs.list, page(JobWire), pipelineOptions),
  route(`GET ${pipelinePath}/bridges`, pipelineJobs.listBridges, page(BridgeWire), pipelineOptions),
  route(`GET ${jobPath}`, pipelineJobs.get, one(JobWire), options),
  route(`POST ${jobPath}/play`, pipelineJobs.play, one(JobWire), {
    ...options,
    names: { ...options.names, job_variables_attributes: 'variables' },
    creates: false,
  }),
  route(`POST ${jobPath}/retry`, pipelineJobs.retry, one(JobWire), options),
  route(`POST ${jobPath}/cancel`, pipelineJobs.cancel, one(JobWire), options),
  route(`POST ${jobPath}/erase`, pipelineJobs.erase, one(JobWire), options),
  route(`GET ${jobPath}/trace`, pipelineJobs.getTrace, trace, options),
  route(`GET ${jobPath}/artifacts`, pipelineJobs.getArtifacts, archive, artifactOptions),
  route(`POST ${jobPath}/artifacts/keep`, pipelineJobs.keepArtifacts, one(JobWire), { ...options, creates: false }),
  route(`GET ${jobPath}/artifacts/tree`, pipelineJobs.listArtifactFiles, page(ArtifactTreeEntryWire), options),
  route(`GET ${jobPath}/artifacts/:artifact_path`, pipelineJobs.getArtifactFile, archivedFile, {
    ...artifactOptions,
    multiSegmentParams: ['artifact_path'],
  }),
  route(`DELETE ${jobPath}/artifacts`, pipelineJobs.removeArtifacts, empty(), options),
  /** Branch names can contain slashes, which some clients do not encode. */
  route(`GET ${base}/artifacts/:ref_name/download`, pipelineJobs.getArtifacts, archive, {
    ...refOptions,
    multiSegmentParams: ['ref_name'],
  }),
  route(`GET ${base}/artifacts/:ref_name/raw/:artifact_path`, pipelineJobs.getArtifactFile, archivedFile, {
    ...refOptions,
    multiSegmentParams: ['ref_name', 'artifact_path'],
  }),
  route('DELETE /projects/:id/artifacts', pipelineJobs.removeProjectArtifacts, accepted(), { extension: true }),
]
