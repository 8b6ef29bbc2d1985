import * as v from 'valibot'
import { jobStartConditions } from '../features/code/pipeline-records/job.ts'
import { environmentActions, environmentTiers } from '../features/code/pipeline-records/job-environment.ts'
import { pipelineSources } from '../features/code/pipeline-records/pipeline.ts'
import { pipelineStatuses } from '../features/code/pipeline-records/status.ts'
import { variableTypes } from '../features/delivery/ci-variables/variable.ts'
import { inputList } from '../features/delivery/pipelines/pipeline-input.ts'
import { namedIn } from './identity.ts'
import { projectOf, type SectionParent } from './section-parent.ts'
import { defineSection, type Seeder, Timestamp } from './seeder.ts'

const JobEnvironment = v.strictObject({
  name: v.string(),
  /** `start` (default) deploys, `stop` stops the environment. */
  action: v.optional(v.picklist(environmentActions)),
  url: v.optional(v.string()),
  /** Name of the job that stops the environment. */
  onStop: v.optional(v.string()),
  /** Time after the deployment until the environment is stopped, such as `1 week`. */
  autoStopIn: v.optional(v.string()),
  deploymentTier: v.optional(v.picklist(environmentTiers)),
})

const Job = v.strictObject({
  name: v.string(),
  stage: v.optional(v.string()),
  status: v.optional(v.picklist(pipelineStatuses)),
  startsWhen: v.optional(v.picklist(jobStartConditions)),
  /** Delay of a `delayed` job, such as `30 minutes`. */
  startIn: v.optional(v.string()),
  /** How long artifacts are kept, such as `1 week` or `never`. */
  artifactsExpireIn: v.optional(v.string()),
  allowFailure: v.optional(v.boolean()),
  needs: v.optional(v.array(v.string())),
  tags: v.optional(v.array(v.string())),
  /** The environment, or its name. */
  environment: v.optional(v.union([v.string(), JobEnvironment])),
  coverage: v.optional(v.number()),
  startedAt: v.optional(v.string()),
  finishedAt: v.optional(v.string()),
})

const Pipeline = v.strictObject({
  ref: v.string(),
  /** Full SHA of the commit. Default: the head of the branch `ref`. */
  sha: v.optional(v.string()),
  tag: v.optional(v.boolean()),
  source: v.optional(v.picklist(pipelineSources)),
  name: v.optional(v.string()),
  status: v.optional(v.picklist(pipelineStatuses)),
  mergeRequest: v.optional(v.number()),
  /** A username. */
  user: v.optional(v.string()),
  createdAt: Timestamp,
  jobs: v.optional(v.array(Job)),
})

/** Pipelines of a project with their jobs. */
export const pipelinesSection = defineSection(
  'pipelines',
  Pipeline,
  async (seeder: Seeder, { createdAt, sha, ref, ...fields }, parent: SectionParent) => {
    const project = projectOf(parent)
    const host = seeder.asHost(createdAt)
    const head = sha ?? (await host.branches.get({ project, branch: ref })).commit.id
    const { id, iid } = await host.pipelines.record({ project, ref, sha: head, ...fields })
    seeder.record('pipelines', `${parent.path} ${iid}`, { id, iid })
  },
)

const PipelineSchedule = v.strictObject({
  description: v.string(),
  ref: v.string(),
  cron: v.string(),
  cronTimezone: v.optional(v.string()),
  active: v.optional(v.boolean()),
  /** Values for the inputs of the pipeline file. */
  inputs: v.optional(inputList),
  /** A username. */
  owner: v.string(),
  /** Variables of its pipelines. Default: none. */
  variables: v.optional(
    v.array(
      v.strictObject({
        key: v.string(),
        value: v.string(),
        variableType: v.optional(v.picklist(variableTypes)),
      }),
    ),
    [],
  ),
  createdAt: Timestamp,
})

/** Schedules of pipelines of a project. */
export const pipelineSchedulesSection = defineSection(
  'pipelineSchedules',
  PipelineSchedule,
  async (seeder: Seeder, { createdAt, variables, ...fields }, parent: SectionParent) => {
    const project = projectOf(parent)
    const { pipelineSchedules } = seeder.asHost(createdAt)
    const { id } = await pipelineSchedules.create({ project, ...fields })
    for (const variable of variables) await pipelineSchedules.createVariable({ project, schedule: id, ...variable })
    seeder.record('pipelineSchedules', `${parent.path} ${fields.description}`, { id })
  },
  namedIn(
    (host) => host.pipelineSchedules,
    ({ description }) => description,
  ),
)

const FreezePeriod = v.strictObject({
  freezeStart: v.string(),
  freezeEnd: v.string(),
  cronTimezone: v.optional(v.string()),
  createdAt: Timestamp,
})

/** Recurring times in which a project should not be deployed. */
export const freezePeriodsSection = defineSection(
  'freezePeriods',
  FreezePeriod,
  async (seeder: Seeder, { createdAt, ...fields }, parent: SectionParent) => {
    const { id } = await seeder.asHost(createdAt).freezePeriods.create({ project: projectOf(parent), ...fields })
    seeder.record('freezePeriods', `${parent.path} ${id}`, { id })
  },
  namedIn(
    (host) => host.freezePeriods,
    ({ freezeStart, freezeEnd, cronTimezone = 'UTC' }) => `${freezeStart}, ${freezeEnd}, ${cronTimezone}`,
  ),
)

const PipelineTrigger = v.strictObject({
  description: v.string(),
  /** A username. */
  owner: v.string(),
  /** A fixed token, for the configuration of tests and clients. Default: a random one, which nothing shows. */
  secret: v.optional(v.string()),
  createdAt: Timestamp,
})

/** Trigger tokens of a project. */
export const pipelineTriggersSection = defineSection(
  'pipelineTriggers',
  PipelineTrigger,
  async (seeder: Seeder, { createdAt, ...fields }, parent: SectionParent) => {
    const { id } = await seeder.asHost(createdAt).pipelineTriggers.create({ project: projectOf(parent), ...fields })
    seeder.record('pipelineTriggers', `${parent.path} ${fields.description}`, { id })
  },
  namedIn(
    (host) => host.pipelineTriggers,
    ({ description }) => description,
  ),
)
