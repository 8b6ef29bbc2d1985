import * as v from 'valibot'
import { jobStartConditions } from '../features/pipeline-records/job.ts'
import { pipelineSources } from '../features/pipeline-records/pipeline.ts'
import { pipelineStatuses } from '../features/pipeline-records/status.ts'
import { defineSection, type Seeder, Timestamp } from './seeder.ts'
import type { SectionParent } from './shared-sections.ts'

const Job = v.strictObject({
  name: v.string(),
  stage: v.optional(v.string()),
  status: v.optional(v.picklist(pipelineStatuses)),
  startsWhen: v.optional(v.picklist(jobStartConditions)),
  allowFailure: v.optional(v.boolean()),
  needs: v.optional(v.array(v.string())),
  tags: v.optional(v.array(v.string())),
  environment: v.optional(v.string()),
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
    const { project } = parent as { project: number }
    const host = seeder.asHost(createdAt)
    const head = sha ?? (await host.repository.branch({ project, branch: ref })).commit.id
    const { id, iid } = await host.pipelines.record({ project, ref, sha: head, ...fields })
    seeder.record('pipelines', `${parent.path} ${iid}`, { id, iid })
  },
)
