import { PlatformError, type Session } from '@forgelet/core'
import type { Pipeline } from '@forgelet/core/operations'
import { JobWire } from '../../shapes/job.ts'
import { PipelineWire } from '../../shapes/pipeline.ts'
import { itemField, listField } from '../fields.ts'
import { parseIdOf } from '../global-id.ts'
import { pick } from '../mutation.ts'
import type { Item } from '../references.ts'
import type { Arguments, Json, With, WithId } from '../resolver.ts'
import { paging, type SchemaPart } from '../schema-part.ts'
import { readDetails, toMergeRequestReference } from './merge-request-changes.ts'

const statuses =
  'CREATED WAITING_FOR_RESOURCE WAITING_FOR_CALLBACK PREPARING PENDING RUNNING SUCCESS FAILED CANCELING CANCELED SKIPPED MANUAL SCHEDULED'

type Status = Uppercase<Pipeline['status']>
type JobArguments = With<{ statuses?: readonly Status[] | null }>

/** The names of statuses in operations. */
const toLowerCase = (status: Status) => status.toLowerCase() as Pipeline['status']

const readStatus = (status: Status | null | undefined) => (status == null ? {} : { status: toLowerCase(status) })

const toUpperCase = ({ status }: Json) => String(status).toUpperCase()

/** A pipeline by exactly one of its id and its number in the project. */
const findPipeline = async ({ pipelines }: Session, project: number, { id, iid }: Arguments): Promise<Pipeline> => {
  if ((id == null) === (iid == null)) throw new PlatformError('invalid_input', 'Provide either an id or an iid')
  if (id != null) return pipelines.get({ project, pipeline: parseIdOf('Ci::Pipeline', id) })
  const [pipeline] = (await pipelines.list({ project, iid: Number(iid) })).items
  if (!pipeline) throw new PlatformError('not_found', 'Pipeline was not found')
  return pipeline
}

const finished = new Set(['success', 'failed', 'canceled', 'skipped'])
const active = new Set(['waiting_for_resource', 'waiting_for_callback', 'preparing', 'pending', 'running'])

/** Pipelines and their jobs. */
export const pipelinePart: SchemaPart = {
  types: `
enum PipelineStatusEnum { ${statuses} }
enum CiJobStatus { ${statuses} }

type Pipeline {
  id: ID! iid: String! sha: String ref: String name: String status: PipelineStatusEnum! source: String createdAt: Time!
  updatedAt: Time! startedAt: Time finishedAt: Time
  "In seconds."
  duration: Int
  coverage: Float
  active: Boolean!
  complete: Boolean!
  "The path of its page."
  path: String
  beforeSha: String yamlErrorMessages: String user: UserCore detailedStatus: DetailedStatus
  jobs(statuses: [CiJobStatus!], retried: Boolean, ${paging}): CiJobConnection
}
type DetailedStatus { text: String label: String group: String icon: String tooltip: String detailsPath: String }
type CiStage { name: String }
type CiJob {
  id: JobID name: String status: CiJobStatus stage: CiStage refName: String allowFailure: Boolean! createdAt: Time!
  startedAt: Time finishedAt: Time
  "In seconds."
  duration: Int
  coverage: Float tags: [String!] failureMessage: String webPath: String
}

extend type Project {
  pipeline(id: CiPipelineID, iid: ID): Pipeline
  pipelines(status: PipelineStatusEnum, ref: String, sha: String, source: String, username: String, updatedAfter: Time, updatedBefore: Time, ${paging}): PipelineConnection
}
extend type MergeRequest {
  headPipeline: Pipeline
  pipelines(${paging}): PipelineConnection
}
`,
  resolvers: {
    Project: {
      calls: {
        pipeline: itemField(PipelineWire, (session, { id }: WithId, args) => findPipeline(session, id, args)),
        pipelines: listField(
          PipelineWire,
          ({ pipelines }, window, { id }: WithId, args: With<{ status?: Status | null }>) =>
            pipelines.list({
              project: id,
              ...readStatus(args.status),
              ...pick(args, 'ref', 'sha', 'source', 'username', 'updatedAfter', 'updatedBefore'),
              ...window,
            }),
        ),
      },
    },
    MergeRequest: {
      calls: {
        headPipeline: async (source: Item, _args, context) => (await readDetails(source, context)).head_pipeline,
        pipelines: listField(PipelineWire, ({ pipelines }, window, source: Item) =>
          pipelines.list({ ...toMergeRequestReference(source), ...window }),
        ),
      },
    },
    Pipeline: {
      computed: {
        status: toUpperCase,
        duration: ({ duration }) => (duration === null ? null : Math.round(Number(duration))),
        coverage: ({ coverage }) => (coverage === null ? null : Number(coverage)),
        active: ({ status }) => active.has(String(status)),
        complete: ({ status }) => finished.has(String(status)),
        path: ({ detailed_status: status }: With<{ detailed_status: Json }>) => status.details_path,
        yamlErrorMessages: ({ yaml_errors: errors }) => errors,
      },
      calls: {
        jobs: listField(
          JobWire,
          ({ pipelineJobs }, window, pipeline: With<{ project_id: number; id: number }>, args: JobArguments) => {
            const scope = args.statuses?.map(toLowerCase)
            return pipelineJobs.list({
              project: pipeline.project_id,
              pipeline: pipeline.id,
              ...(scope && { scope }),
              includeRetried: args.retried === true,
              ...window,
            })
          },
        ),
      },
    },
    CiJob: {
      computed: {
        status: toUpperCase,
        stage: ({ stage }) => ({ name: stage }),
        refName: ({ ref }) => ref,
        duration: ({ duration }) => (duration === null ? null : Math.round(Number(duration))),
        tags: ({ tag_list: tags }) => tags,
        failureMessage: ({ failure_reason: reason }) => reason,
        webPath: ({ web_url: url }) => new URL(String(url)).pathname,
      },
    },
  },
}
