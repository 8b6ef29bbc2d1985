import { projectColumns } from '../../../access/projects.ts'
import type { Project } from '../../../contract/project.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { PlatformError } from '../../../kernel/errors.ts'
import type { InputRule } from '../../../kernel/operation.ts'
import { completeJobs, completePipelines, selectJobs, selectPipelines } from '../../code/pipeline-records/queries.ts'
import { completeMergeRequests, mergeRequestColumns } from '../../collaboration/merge-requests/queries.ts'
import type { NoteableKind } from '../../collaboration/notes/note.ts'
import { notesById } from '../../collaboration/notes/queries.ts'
import { toWikiPage } from '../../collaboration/wikis/wiki-page.ts'
import { selectDeployments, toDeploymentDetails } from '../../delivery/environments/queries.ts'
import { selectFlags } from '../../delivery/feature-flags/queries.ts'
import { completeReleases, selectReleases } from '../../delivery/releases/queries.ts'
import { completeIssues, issueColumns } from '../../planning/issues/queries.ts'
import type { Container } from '../../spaces/members/membership-rows.ts'
import type { HookPayload } from './delivery.ts'
import type { EventKind } from './event-kinds.ts'
import type { PayloadContext } from './payloads/common.ts'
import { buildDeploymentEvent } from './payloads/deployment.ts'
import { buildFeatureFlagEvent } from './payloads/feature-flag.ts'
import { buildIssueEvent } from './payloads/issue.ts'
import { buildMergeRequestEvent } from './payloads/merge-request.ts'
import { buildNoteEvent } from './payloads/note.ts'
import { buildJobEvent, buildPipelineEvent } from './payloads/pipeline.ts'
import { buildPushEvent } from './payloads/push.ts'
import { buildReleaseEvent } from './payloads/release.ts'
import { buildProjectEvent } from './payloads/system.ts'
import { buildWikiPageEvent } from './payloads/wiki.ts'

/** Builds the payload of an event about the newest item of a project; undefined if there is none. */
type Sampler = (payload: PayloadContext, project: Project) => Promise<HookPayload | undefined>

/** The newest events of a project that are searched for a push or a comment. */
const maxEvents = 100

const samplePush =
  (refType: 'branch' | 'tag'): Sampler =>
  async (payload, project) => {
    const rows = await payload.ctx.db
      .selectFrom('event')
      .where('projectId', '=', project.id)
      .where('push', 'is not', null)
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc')
      .limit(maxEvents)
      .select(['push', 'authorId'])
      .execute()
    for (const { push, authorId: userId } of rows) {
      // Events of many branches or tags name none.
      if (push?.refType !== refType || push.commitTo === null || push.ref === null) continue
      return buildPushEvent(payload, project, { push: { ...push, ref: push.ref }, userId, pushOptions: [] })
    }
    return undefined
  }

const sampleIssue =
  (confidential: boolean): Sampler =>
  async (payload, project) => {
    const { ctx } = payload
    const record = await ctx.db
      .selectFrom('issue')
      .where('projectId', '=', project.id)
      .where('confidential', '=', confidential)
      .orderBy('id', 'desc')
      .limit(1)
      .select(issueColumns)
      .executeTakeFirst()
    const [issue] = record ? await completeIssues(ctx, [record]) : []
    return issue && buildIssueEvent(payload, project, { action: 'open', issue })
  }

const sampleMergeRequest: Sampler = async (payload, project) => {
  const { ctx } = payload
  const record = await ctx.db
    .selectFrom('mergeRequest')
    .where('projectId', '=', project.id)
    .orderBy('id', 'desc')
    .limit(1)
    .select(mergeRequestColumns)
    .executeTakeFirst()
  const [mergeRequest] = record ? await completeMergeRequests(ctx, [record]) : []
  return mergeRequest && buildMergeRequestEvent(payload, project, { action: 'open', mergeRequest })
}

const noteableKinds: Readonly<Record<string, NoteableKind>> = {
  Issue: 'issue',
  MergeRequest: 'mergeRequest',
  Snippet: 'snippet',
}

const sampleNote =
  (confidential: boolean): Sampler =>
  async (payload, project) => {
    const { ctx } = payload
    const rows = await ctx.db
      .selectFrom('event')
      .where('projectId', '=', project.id)
      .where('noteId', 'is not', null)
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc')
      .limit(maxEvents)
      .select('noteId')
      .execute()
    const notes = await notesById(
      ctx,
      rows.map(({ noteId }) => noteId),
    )
    const newest = [...notes.values()].filter((note) => note.confidential === confidential).sort((a, b) => b.id - a.id)
    for (const note of newest) {
      const kind = noteableKinds[note.noteableType]
      if (kind)
        return buildNoteEvent(payload, project, { action: 'create', note, target: { kind, id: note.noteableId } })
    }
    return undefined
  }

const sampleRelease: Sampler = async (payload, project) => {
  const { ctx } = payload
  const records = await selectReleases(ctx, project.id).orderBy('release.id', 'desc').limit(1).execute()
  const [release] = await completeReleases(ctx, project, records)
  return release && buildReleaseEvent(payload, project, 'create', release)
}

const sampleDeployment: Sampler = async (payload, project) => {
  const { ctx } = payload
  const rows = await selectDeployments(ctx, project.id).orderBy('id', 'desc').limit(1).execute()
  const [deployment] = await toDeploymentDetails(ctx, project, rows)
  return deployment && buildDeploymentEvent(payload, project, deployment)
}

const samplePipeline: Sampler = async (payload, project) => {
  const { ctx } = payload
  const records = await selectPipelines(ctx, project.id).orderBy('id', 'desc').limit(1).execute()
  const [pipeline] = await completePipelines(ctx, records)
  return pipeline && buildPipelineEvent(payload, project, pipeline)
}

const sampleJob: Sampler = async (payload, project) => {
  const { ctx } = payload
  const builds = selectJobs(ctx, project.id).where('kind', '=', 'build')
  const [job] = await completeJobs(ctx, await builds.orderBy('id', 'desc').limit(1).execute())
  return job && buildJobEvent(payload, project, job)
}

const sampleWikiPage: Sampler = async (payload, project) => {
  const page = await payload.ctx.db
    .selectFrom('wikiPage')
    .where('projectId', '=', project.id)
    .orderBy('slug')
    .limit(1)
    .select(['id', 'slug', 'title', 'format', 'content'])
    .executeTakeFirst()
  return page && buildWikiPageEvent(payload, project, 'create', toWikiPage(page))
}

const sampleFeatureFlag: Sampler = async (payload, project) => {
  const flag = await selectFlags(payload.ctx, project.id).orderBy('id', 'desc').limit(1).executeTakeFirst()
  return flag && buildFeatureFlagEvent(payload, project, flag)
}

interface Sample {
  readonly kind: EventKind
  readonly read: Sampler
  /** What the project needs, for the message of the error. */
  readonly needs: string
}

/** The events that can be sent as a test, by the flag of the hook in the wire format. */
export const samples = {
  push_events: { kind: 'push', read: samplePush('branch'), needs: 'a push to a branch' },
  tag_push_events: { kind: 'tagPush', read: samplePush('tag'), needs: 'a pushed tag' },
  issues_events: { kind: 'issue', read: sampleIssue(false), needs: 'an issue' },
  confidential_issues_events: {
    kind: 'confidentialIssue',
    read: sampleIssue(true),
    needs: 'a confidential issue',
  },
  note_events: { kind: 'note', read: sampleNote(false), needs: 'a comment' },
  confidential_note_events: { kind: 'confidentialNote', read: sampleNote(true), needs: 'a confidential comment' },
  merge_requests_events: { kind: 'mergeRequest', read: sampleMergeRequest, needs: 'a merge request' },
  releases_events: { kind: 'release', read: sampleRelease, needs: 'a release' },
  pipeline_events: { kind: 'pipeline', read: samplePipeline, needs: 'a pipeline' },
  job_events: { kind: 'job', read: sampleJob, needs: 'a job' },
  wiki_page_events: { kind: 'wikiPage', read: sampleWikiPage, needs: 'a wiki page' },
  feature_flag_events: { kind: 'featureFlag', read: sampleFeatureFlag, needs: 'a feature flag' },
  deployment_events: { kind: 'deployment', read: sampleDeployment, needs: 'a deployment' },
} as const satisfies Readonly<Record<string, Sample>>

export type TestTrigger = keyof typeof samples

export const testTriggers = Object.keys(samples) as [TestTrigger, ...TestTrigger[]]

/** Tests of hooks of projects and groups name the kind of the event. */
export const triggerUnlessSystemHook: InputRule<Readonly<Record<string, unknown>>> = ({ project, group, trigger }) =>
  trigger === undefined && (project !== undefined || group !== undefined)
    ? { fields: ['trigger'], message: 'is missing' }
    : undefined

const sampleSystem = async (ctx: Context, site: string): Promise<HookPayload> => {
  const newest = ctx.db.selectFrom('project').orderBy('id', 'desc').limit(1).select(projectColumns)
  const project = await newest.executeTakeFirst()
  if (!project) throw new PlatformError('unprocessable', 'Ensure the instance has a project.')
  return buildProjectEvent({ ctx, site }, 'project_create', project)
}

/** The most recently active projects that are searched for a hook of a group. */
const maxProjects = 10

const selectCandidates = (ctx: Context, subject: Container) => {
  if (subject.kind === 'project') return [subject.project]
  const below = ctx.db.selectFrom('namespaceLineage').where('ancestorId', '=', subject.group.id).select('namespaceId')
  return ctx.db
    .selectFrom('project')
    .where('namespaceId', 'in', below)
    .orderBy('lastActivityAt', 'desc')
    .limit(maxProjects)
    .select(projectColumns)
    .execute()
}

/**
 * The payload of an event about the newest item of the project, or of one of the group's projects.
 *
 * @throws PlatformError `unprocessable` if there is no such item
 */
export const readSample = async (
  ctx: Context,
  site: string,
  trigger: TestTrigger | undefined,
  subject: Container | Subjects['instance'],
): Promise<{ readonly kind: EventKind; readonly payload: HookPayload }> => {
  if (subject.kind === 'instance' || trigger === undefined)
    return { kind: 'system', payload: await sampleSystem(ctx, site) }
  for (const project of await selectCandidates(ctx, subject)) {
    const payload = await samples[trigger].read({ ctx, site }, project)
    if (payload) return { kind: samples[trigger].kind, payload }
  }
  const owner = subject.kind === 'project' ? 'project has' : 'group has a project with'
  throw new PlatformError('unprocessable', `Ensure the ${owner} ${samples[trigger].needs}.`)
}
