import { type CiInclude, type CiLintJob, type CiLintResult, features } from '@forgelet/core/operations'
import * as v from 'valibot'
import { NullableText } from '../reply/field-types.ts'
import { all, empty, one, page } from '../reply/responders.ts'
import { computed, list, nullable, wire } from '../reply/wire.ts'
import { listInputsExcept, type RouteOptions, route } from '../routing/route.ts'
import {
  CommitStatusWire,
  PipelineSummaryWire,
  PipelineVariableWire,
  PipelineWire,
  TestReportSummaryWire,
  TestReportWire,
} from '../shapes/pipeline.ts'

const CiIncludeWire = wire<CiInclude>('CiInclude')({
  type: v.string(),
  location: v.string(),
  context_project: NullableText,
})

const CiLintJobWire = wire<CiLintJob>('CiLintJob')({
  name: v.string(),
  stage: v.string(),
  before_script: v.array(v.string()),
  script: v.array(v.string()),
  after_script: v.array(v.string()),
  tag_list: v.array(v.string()),
  environment: NullableText,
  when: v.string(),
  allow_failure: v.boolean(),
  needs: v.nullable(v.array(v.string())),
})

const CiLintWire = wire<CiLintResult>('CiLintResult')({
  /** `valid` or `invalid`. */
  status: computed(v.string(), ({ valid }: CiLintResult) => (valid ? 'valid' : 'invalid')),
  valid: v.boolean(),
  errors: v.array(v.string()),
  warnings: v.array(v.string()),
  merged_yaml: v.optional(NullableText),
  includes: list(CiIncludeWire),
  jobs: nullable(list(CiLintJobWire)),
})

const { ciLint, commitStatuses, pipelines } = features

const extension = { extension: true } satisfies RouteOptions
/** The git port rejects what exceeds its limits. */
const statusOptions = { ...extension, names: { pipeline_id: 'pipeline' }, errors: [422] } satisfies RouteOptions

const olderNames = {
  sha: v.optional(v.pipe(v.string(), v.description('Older form of `content_ref`.'))),
  dry_run_ref: v.optional(v.pipe(v.string(), v.description('Newer form of `ref`, with precedence.'))),
}

const readOlderNames: RouteOptions['rewrite'] = ({ sha, dry_run_ref: dryRunRef, ...others }) => ({
  ...(sha !== undefined && { content_ref: sha }),
  ...others,
  ...(dryRunRef !== undefined && { ref: dryRunRef }),
})

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
  route('GET /projects/:id/ci/lint', ciLint.checkFile, one(CiLintWire), {
    ...extension,
    rewrite: readOlderNames,
    wireParameters: olderNames,
  }),
  route('POST /projects/:id/ci/lint', ciLint.check, one(CiLintWire), {
    ...extension,
    creates: false,
    hidden: ['includeMergedYaml'],
  }),

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
    hidden: ['ref', 'variables', 'inputs'],
  }),
  route(`GET ${mergeRequestPath}`, pipelines.list, page(PipelineSummaryWire), {
    ...mergeRequestOptions,
    hidden: listInputsExcept(pipelines.list, 'project', 'mergeRequest', 'page', 'perPage'),
  }),
]
