import { features } from '@forgelet/core/operations'
import { all, empty, one, page } from '../reply/responders.ts'
import { listInputsExcept, type RouteOptions, route } from '../routing/route.ts'
import { CiLintWire } from '../shapes/ci-lint.ts'
import {
  CommitStatusWire,
  PipelineSummaryWire,
  PipelineVariableWire,
  PipelineWire,
  TestReportSummaryWire,
  TestReportWire,
} from '../shapes/pipeline.ts'

const { ciLint, commitStatuses, pipelines } = features

const extension = { extension: true } satisfies RouteOptions
/** The git port rejects what exceeds its limits. */
const statusOptions = { ...extension, names: { pipeline_id: 'pipeline' }, errors: [422] } satisfies RouteOptions

const base = '/projects/:id/pipelines'
const pipelinePath = `${base}/:pipeline_id` as const
const options = { ...extension, names: { pipeline_id: 'pipeline' } } satisfies RouteOptions

const mergeRequestPath = '/projects/:id/merge_requests/:merge_request_iid/pipelines'
const mergeRequestOptions = { ...extension, names: { merge_request_iid: 'mergeRequest' } } satisfies RouteOptions

export const pipelineRoutes = [
  route(
    'GET /projects/:id/repository/commits/:sha/statuses',
    commitStatuses.list,
    page(CommitStatusWire),
    statusOptions,
  ),
  route('POST /projects/:id/statuses/:sha', commitStatuses.create, one(CommitStatusWire), {
    ...statusOptions,
    hidden: ['author'],
  }),

  route('POST /ci/lint', ciLint.check, one(CiLintWire), {
    ...extension,
    creates: false,
    hidden: ['project', 'dryRun', 'ref'],
  }),
  route('GET /projects/:id/ci/lint', ciLint.checkFile, one(CiLintWire), extension),
  route('POST /projects/:id/ci/lint', ciLint.check, one(CiLintWire), { ...extension, creates: false }),

  route('POST /projects/:id/pipeline', pipelines.create, one(PipelineWire), {
    ...extension,
    hidden: ['mergeRequest'],
    required: ['ref'],
  }),
  route(`GET ${base}`, pipelines.list, page(PipelineSummaryWire), { ...extension, hidden: ['iid', 'mergeRequest'] }),
  route(`GET ${base}/latest`, pipelines.getLatest, one(PipelineWire), extension),
  route(`GET ${pipelinePath}`, pipelines.get, one(PipelineWire), options),
  route(`GET ${pipelinePath}/variables`, pipelines.listVariables, all(PipelineVariableWire), options),
  route(`GET ${pipelinePath}/test_report`, pipelines.getTestReport, one(TestReportWire), options),
  route(`GET ${pipelinePath}/test_report_summary`, pipelines.getTestReport, one(TestReportSummaryWire), options),
  route(`POST ${pipelinePath}/retry`, pipelines.retry, one(PipelineWire), options),
  route(`POST ${pipelinePath}/cancel`, pipelines.cancel, one(PipelineWire), { ...options, creates: false }),
  route(`PUT ${pipelinePath}/metadata`, pipelines.rename, one(PipelineWire), options),
  route(`DELETE ${pipelinePath}`, pipelines.remove, empty(), options),

  route(`POST ${mergeRequestPath}`, pipelines.create, one(PipelineWire), {
    ...mergeRequestOptions,
    hidden: ['ref', 'variables'],
  }),
  route(`GET ${mergeRequestPath}`, pipelines.list, page(PipelineSummaryWire), {
    ...mergeRequestOptions,
    hidden: listInputsExcept(pipelines.list, 'project', 'mergeRequest', 'page', 'perPage'),
  }),
]
