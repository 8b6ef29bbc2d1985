import {
  type CommitStatus,
  getSeconds,
  type Pipeline,
  type PipelineStatus,
  type PipelineVariable,
  type TestReport,
} from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Integer, NullableDateTime, NullableText, Url } from '../reply/field-types.ts'
import { computed, nullable, type Site, wire } from '../reply/wire.ts'
import { UserSummaryWire } from './user.ts'

interface DetailedStatus {
  readonly status: PipelineStatus
  /** Path of the page. */
  readonly path: string
}

/** The texts of a status, where they differ from its name. */
const texts: Partial<Readonly<Record<PipelineStatus, string>>> = {
  success: 'passed',
  waiting_for_resource: 'waiting',
  waiting_for_callback: 'waiting',
}

const getText = ({ status }: DetailedStatus) => texts[status] ?? status

/** A status as pages show it. */
const DetailedStatusWire = wire<DetailedStatus>('DetailedStatus')({
  /** Name of the icon. */
  icon: computed(v.string(), ({ status }: DetailedStatus) => `status_${status}`),
  /** Text of the status. */
  text: computed(v.string(), getText),
  /** Text of the badge. */
  label: computed(v.string(), getText),
  /** Kind of status. */
  group: computed(v.string(), ({ status }: DetailedStatus) => status),
  /** Text that appears when the pointer rests on the badge. */
  tooltip: computed(v.string(), getText),
  /** Whether the status has a page. */
  has_details: computed(v.boolean(), () => true),
  /** Path of the page. */
  details_path: computed(v.string(), ({ path }: DetailedStatus) => path),
  /** Always null: the platform has no pictures of statuses. */
  illustration: computed(v.null(), () => null),
  /** Always null: the platform has no pictures of statuses. */
  favicon: computed(v.null(), () => null),
})

const getPath = ({ id, projectPath }: Pipeline) => `/${projectPath}/-/pipelines/${id}`

/** A pipeline in lists and in other objects. */
export const PipelineSummaryWire = wire<Pipeline>('PipelineSummary')({
  id: Integer,
  iid: Integer,
  project_id: Integer,
  sha: v.string(),
  ref: v.string(),
  status: v.string(),
  source: v.string(),
  created_at: DateTime,
  updated_at: DateTime,
  name: NullableText,
  /** URL of the pipeline's page. */
  web_url: computed(Url, (pipeline: Pipeline, { url }: Site) => `${url}${getPath(pipeline)}`),
})

export const PipelineWire = wire<Pipeline>('Pipeline')({
  ...PipelineSummaryWire.fields,
  before_sha: NullableText,
  tag: v.boolean(),
  yaml_errors: NullableText,
  user: nullable(UserSummaryWire),
  started_at: NullableDateTime,
  finished_at: NullableDateTime,
  /** Always null: the time of the commit is not stored. */
  committed_at: computed(v.null(), () => null),
  /** Seconds from the start to the end; null before. */
  duration: computed(v.nullable(v.number()), ({ startedAt, finishedAt }: Pipeline) =>
    getSeconds(startedAt, finishedAt),
  ),
  /** Seconds from the creation to the start; null before. */
  queued_duration: computed(v.nullable(v.number()), ({ createdAt, startedAt }: Pipeline) =>
    getSeconds(createdAt, startedAt),
  ),
  /** Average test coverage of the jobs in percent, as text; null if none has reported it. */
  coverage: computed(NullableText, ({ coverage }: Pipeline) => (coverage === null ? null : coverage.toFixed(2))),
  /** The status as pages show it. */
  detailed_status: computed(DetailedStatusWire, (pipeline: Pipeline) => ({
    status: pipeline.status,
    path: getPath(pipeline),
  })),
})

export const PipelineVariableWire = wire<PipelineVariable>('PipelineVariable')({
  key: v.string(),
  value: v.string(),
  variable_type: v.string(),
  /** Never: no call sets it for variables of pipelines and schedules. */
  raw: computed(v.boolean(), () => false),
})

export const TestReportWire = wire<TestReport>('TestReport')({
  total_time: v.number(),
  total_count: Integer,
  success_count: Integer,
  failed_count: Integer,
  skipped_count: Integer,
  error_count: Integer,
  test_suites: v.array(v.string()),
})

const TestTotalsWire = wire<TestReport>('TestTotals')({
  /** Duration of the tests in seconds. */
  time: computed(v.number(), ({ totalTime }: TestReport) => totalTime),
  /** Number of tests. */
  count: computed(Integer, ({ totalCount }: TestReport) => totalCount),
  /** Number of passed tests. */
  success: computed(Integer, ({ successCount }: TestReport) => successCount),
  /** Number of failed tests. */
  failed: computed(Integer, ({ failedCount }: TestReport) => failedCount),
  /** Number of skipped tests. */
  skipped: computed(Integer, ({ skippedCount }: TestReport) => skippedCount),
  /** Number of tests that could not run. */
  error: computed(Integer, ({ errorCount }: TestReport) => errorCount),
  /** Always null: the platform reads no reports. */
  suite_error: computed(v.null(), () => null),
})

export const TestReportSummaryWire = wire<TestReport>('TestReportSummary')({
  /** Totals of all test suites. */
  total: computed(TestTotalsWire, (report: TestReport) => report),
  test_suites: v.array(v.string()),
})

export const CommitStatusWire = wire<CommitStatus>('CommitStatus')({
  id: Integer,
  sha: v.string(),
  ref: v.string(),
  status: v.string(),
  name: v.string(),
  target_url: NullableText,
  description: NullableText,
  created_at: DateTime,
  started_at: NullableDateTime,
  finished_at: NullableDateTime,
  allow_failure: v.boolean(),
  coverage: v.nullable(v.number()),
  pipeline_id: Integer,
  author: nullable(UserSummaryWire),
})
