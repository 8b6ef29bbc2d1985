import * as v from 'valibot'
import { project } from '../../../access/subjects.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import { assertRowUnmodified } from '../../../db/assert-row-unmodified.ts'
import { updateChanged } from '../../../db/update-changed.ts'
import type { Context } from '../../../kernel/context.ts'
import { afterCommit, type Deferred } from '../../../kernel/deferred.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import { Id, IdOrName, Instant, normalizeInstant, Sort } from '../../../kernel/inputs.ts'
import { command, type InputRule, query } from '../../../kernel/operation.ts'
import { type Page, paginate, pagingEntries } from '../../../kernel/paging.ts'
import { LongText } from '../../../kernel/text-limits.ts'
import { parseHumanDuration } from '../../../shared/human-duration.ts'
import { findUser } from '../../accounts/users/queries.ts'
import { getSettings } from '../../administration/settings/queries.ts'
import { resolveAuthorId } from '../../planning/issuables/author.ts'
import { addCommit, addCommits } from '../environments/commits.ts'
import { linkMergeRequests } from '../environments/merge-request-links.ts'
import { insertEnvironment } from '../environments/mutations.ts'
import { findEnvironment, selectDeployments, selectEnvironments, toDeploymentDetails } from '../environments/queries.ts'
import { assertCanDeploy, assertMayChangeEnvironment } from '../protected-environments/deploy-access.ts'
import { addApprovals } from './approvals.ts'
import { type DeploymentJobRecord, deploymentStatuses, reportedStatuses } from './deployment.ts'
import type { DeploymentDetails } from './deployment-details.ts'
import { announceDeployment, getDeployment, insertDeployment, markAvailableOnSuccess, toStatus } from './mutations.ts'

const Text = v.pipe(v.string(), v.maxLength(1_024))
const Sha = v.pipe(v.string(), v.regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/))
const NullableInstant = v.optional(v.nullable(Instant), null)
const NullableAmount = v.optional(v.nullable(v.pipe(v.number(), v.minValue(0))), null)
const WebUrl = v.optional(v.nullable(v.pipe(Text, v.regex(/^https?:\/\//i))), null)

const Commit = v.strictObject({
  /** SHA of the commit, 40 or 64 hexadecimal digits. */
  id: Sha,
  /** First line of the message, at most 1,024 characters. */
  title: Text,
  /** Whole message, with its title. */
  message: LongText,
  /** Name of the author in git. */
  authorName: Text,
  /** E-mail address of the author in git. */
  authorEmail: Text,
  /** Time of the commit; ISO 8601, UTC without an offset. */
  createdAt: Instant,
})

const Pipeline = v.strictObject({
  /** Id of the pipeline in the host. */
  id: Id,
  /** Branch or tag on which the pipeline ran. */
  ref: Text,
  /** SHA of the commit on which the pipeline ran, 40 or 64 hexadecimal digits. */
  sha: Sha,
  /** Status of the pipeline in the host, such as `success`. */
  status: Text,
  /** URL of the pipeline in the host, http or https; null (default) for none. */
  webUrl: WebUrl,
})

const Artifact = v.strictObject({
  /** Kind of artifact, such as `archive`, `trace` or `junit`. */
  fileType: Text,
  /** Name of the file, such as `artifacts.zip`. */
  filename: Text,
  /** Format of the file, such as `zip`; null (default) if unknown. */
  fileFormat: v.optional(v.nullable(Text), null),
  /** Size in bytes. */
  size: v.pipe(Id, v.minValue(0)),
})

const Runner = v.strictObject({
  /** Id of the runner in the host. */
  id: Id,
  /** Name of the runner for people. */
  description: Text,
  /** Whether the runner accepts jobs. Default: true. */
  active: v.optional(v.boolean(), true),
  /** Whether the runner is available to all projects. Default: false. */
  isShared: v.optional(v.boolean(), false),
})

/** A job as the host describes it. */
const DeploymentJob = v.strictObject({
  /** Id of the job in the host. */
  id: Id,
  /** Status of the job in the host. Default: `success`. */
  status: v.optional(Text, 'success'),
  /** Name of the stage of the pipeline. Default: `deploy`. */
  stage: v.optional(Text, 'deploy'),
  /** Name of the job, such as `deploy-production`. Default: `deploy`. */
  name: v.optional(Text, 'deploy'),
  /** Branch or tag on which the job ran. Default: that of the deployment. */
  ref: v.optional(Text),
  /** Whether `ref` is a tag. Default: false. */
  tag: v.optional(v.boolean(), false),
  /** Test coverage in percent; null (default) if unknown. */
  coverage: NullableAmount,
  /** Time of creation of the job; ISO 8601, UTC without an offset. Default: now. */
  createdAt: v.optional(Instant),
  /** Start of the job; ISO 8601, UTC without an offset. Null (default) if unknown. */
  startedAt: NullableInstant,
  /** End of the job; ISO 8601, UTC without an offset. Null (default) if unknown. */
  finishedAt: NullableInstant,
  /** Duration in seconds; null (default) if unknown. */
  duration: NullableAmount,
  /** Id or username of the user who started the job. Default: the user of the deployment. */
  user: v.optional(IdOrName),
  /** The commit on which the job ran; null (default) if unknown. */
  commit: v.optional(v.nullable(Commit), null),
  /** The pipeline that contains the job; null (default) if unknown. */
  pipeline: v.optional(v.nullable(Pipeline), null),
  /** URL of the job in the host, http or https; null (default) for none. */
  webUrl: WebUrl,
  /** Files that the job produced, at most 100. Default: none. */
  artifacts: v.optional(v.pipe(v.array(Artifact), v.maxLength(100)), []),
  /** The runner that executed the job; null (default) if unknown. */
  runner: v.optional(v.nullable(Runner), null),
  /**
   * Time after which the artifacts are removed; ISO 8601, UTC without an offset; null if they do not expire. Default: the
   * setting `defaultArtifactsExpireIn` after the end of the job.
   */
  artifactsExpireAt: v.optional(v.nullable(Instant)),
})

type JobInput = v.InferOutput<typeof DeploymentJob>

export type DeploymentJobInput = v.InferInput<typeof DeploymentJob>

const toInstantOrNull = (text: string | null) => text && normalizeInstant(text)

const computeArtifactsExpiry = async (
  ctx: Context,
  { artifacts, artifactsExpireAt, finishedAt }: Pick<JobInput, 'artifacts' | 'artifactsExpireAt' | 'finishedAt'>,
  createdAt: string | undefined,
): Promise<string | null> => {
  if (artifactsExpireAt !== undefined) return toInstantOrNull(artifactsExpireAt)
  const seconds = parseHumanDuration((await getSettings(ctx)).defaultArtifactsExpireIn ?? '') ?? 0
  if (!artifacts.length || seconds === 0) return null
  return new Date(Date.parse(finishedAt ?? createdAt ?? ctx.now) + seconds * 1_000).toISOString()
}

const toJobRecord = async (
  ctx: Context,
  { user, ref, createdAt, commit, ...job }: JobInput,
  defaults: { readonly userId: number; readonly ref: string },
): Promise<DeploymentJobRecord> => ({
  ...job,
  ref: ref ?? defaults.ref,
  userId: user === undefined ? defaults.userId : (await findUser(ctx, user)).id,
  createdAt: normalizeInstant(createdAt ?? ctx.now),
  startedAt: toInstantOrNull(job.startedAt),
  finishedAt: toInstantOrNull(job.finishedAt),
  artifactsExpireAt: await computeArtifactsExpiry(ctx, job, createdAt),
  commit: commit && { ...commit, createdAt: normalizeInstant(commit.createdAt) },
})

/** The environment with an id or a name; a missing one with a name is created. */
const resolveEnvironment = async (ctx: Context, projectId: number, ref: number | string) => {
  if (typeof ref === 'number') return findEnvironment(ctx, projectId, ref)
  const existing = await selectEnvironments(ctx, projectId).where('name', '=', ref).executeTakeFirst()
  return existing ?? insertEnvironment(ctx, projectId, { name: ref })
}

/** @throws PlatformError `not_found` if the project has no deployment with this id */
const findDeployment = async (ctx: Context, projectId: number, id: number) => {
  const row = await selectDeployments(ctx, projectId).where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound()
  return row
}

/** A deployment as its page shows it. */
const describe = async (ctx: Context, subject: Subjects['project'], deployment: DeploymentDetails) =>
  addCommit(ctx, subject, await addApprovals(ctx, subject.project.id, deployment))

const deploymentInput = {
  /** Id, not iid, of the deployment. */
  deployment: Id,
}

const sortColumns = {
  id: 'id',
  iid: 'iid',
  created_at: 'createdAt',
  updated_at: 'updatedAt',
  finished_at: 'finishedAt',
} as const

interface FinishedFilter {
  readonly finishedAfter?: string | undefined
  readonly finishedBefore?: string | undefined
  readonly orderBy?: string | undefined
}

/** Only finished deployments have the value: GitLab pairs the filter with the order. */
const finishedOrder: InputRule<FinishedFilter> = ({ finishedAfter, finishedBefore, orderBy }) =>
  (finishedAfter ?? finishedBefore) === undefined || orderBy === 'finished_at'
    ? undefined
    : { fields: ['orderBy'], message: 'must be `finished_at` to filter by it' }

/** Records the merge requests of a successful deployment before the answer. If that fails, the job repeats it. */
const withMergeRequests = <D extends DeploymentDetails>(
  { ports }: Context,
  result: D | Deferred<D>,
  { id, status }: Pick<DeploymentDetails, 'id' | 'status'>,
): D | Deferred<D> =>
  status === 'success'
    ? afterCommit(result, (runner) => linkMergeRequests({ ports, ...runner }, id).catch(() => undefined))
    : result

export const deployments = {
  /** Lists the deployments of a project, oldest first by default. */
  list: query({
    on: project,
    can: 'environment.read',
    scopes: ['job_token'],
    input: {
      ...pagingEntries,
      /** Only deployments to the environment with this id (number) or name (string). */
      environment: v.optional(IdOrName),
      /** Only deployments with this status. Default: all. */
      status: v.optional(v.picklist(deploymentStatuses)),
      /** Only deployments changed at or after this time; ISO 8601, UTC without an offset. */
      updatedAfter: v.optional(Instant),
      /** Only deployments last changed at or before this time; ISO 8601, UTC without an offset. */
      updatedBefore: v.optional(Instant),
      /** Only deployments finished at or after this time; ISO 8601, UTC without an offset. Requires the order `finished_at`. */
      finishedAfter: v.optional(Instant),
      /** Only deployments finished at or before this time; ISO 8601, UTC without an offset. Requires the order `finished_at`. */
      finishedBefore: v.optional(Instant),
      /** Value to sort by; equal values are sorted by id. `finished_at` leaves out unfinished ones. Default: `id`. */
      orderBy: v.optional(v.picklist(['id', 'iid', 'created_at', 'updated_at', 'finished_at']), 'id'),
      /** Direction of the order. Default: `asc`, oldest first. */
      sort: v.optional(Sort, 'asc'),
    },
    rules: [finishedOrder],
    async run(
      ctx,
      { environment, status, updatedAfter, updatedBefore, finishedAfter, finishedBefore, orderBy, sort, ...paging },
      subject,
    ): Promise<Page<DeploymentDetails> | Deferred<Page<DeploymentDetails>>> {
      const { project } = subject
      let rows = selectDeployments(ctx, project.id).orderBy(sortColumns[orderBy], sort).orderBy('id', sort)
      if (environment !== undefined) {
        const column = typeof environment === 'number' ? 'id' : 'name'
        const environments = selectEnvironments(ctx, project.id).where(column, '=', environment).clearSelect()
        rows = rows.where('environmentId', 'in', environments.select('id'))
      }
      if (status !== undefined) rows = rows.where('status', '=', status)
      if (updatedAfter !== undefined) rows = rows.where('updatedAt', '>=', normalizeInstant(updatedAfter))
      if (updatedBefore !== undefined) rows = rows.where('updatedAt', '<=', normalizeInstant(updatedBefore))
      if (orderBy === 'finished_at') rows = rows.where('finishedAt', 'is not', null)
      if (finishedAfter !== undefined) rows = rows.where('finishedAt', '>=', normalizeInstant(finishedAfter))
      if (finishedBefore !== undefined) rows = rows.where('finishedAt', '<=', normalizeInstant(finishedBefore))
      const page = await paginate(rows, paging, (row) => row)
      const deployments = await toDeploymentDetails(ctx, project, page.items)
      return addCommits(ctx, subject, deployments, (items) => ({ ...page, items }))
    },
  }),

  /** Gets a deployment of a project. */
  get: query({
    on: project,
    can: 'environment.read',
    scopes: ['job_token'],
    input: deploymentInput,
    run: async (ctx, { deployment }, subject) =>
      describe(ctx, subject, await getDeployment(ctx, subject.project, deployment)),
  }),

  /**
   * Records a deployment that the host or a user made.
   *
   * @throws PlatformError `forbidden` with the reason `protected` if the environment is protected and no grant covers the user
   */
  create: command({
    on: project,
    can: 'deployment.create',
    scopes: ['job_token'],
    input: {
      /** Id (number) or name (string) of an environment of the project; one with a new name is created. */
      environment: IdOrName,
      /** Name of the deployed branch or tag, at most 1,024 characters. */
      ref: Text,
      /** SHA of the deployed commit, 40 or 64 hexadecimal digits. */
      sha: Sha,
      /**
       * `created` (not started), `running`, `success` (default, makes a stopped environment available), `failed` or
       * `canceled`.
       */
      status: v.optional(v.picklist(reportedStatuses), 'success'),
      /** Id or username of the user who deployed: required for calls of the host, `forbidden` for users. */
      user: v.optional(IdOrName),
      /**
       * The pipeline job that deployed; null (default) for a deployment without a job. Its texts, except the commit
       * message, have at most 1,024 characters.
       */
      job: v.optional(v.nullable(DeploymentJob), null),
    },
    async run(ctx, { environment: environmentRef, user, job, ...deployment }, subject) {
      const { project } = subject
      const environment = await resolveEnvironment(ctx, project.id, environmentRef)
      const userId = await resolveAuthorId(ctx, user)
      await assertCanDeploy(ctx, project, environment.name, userId)
      const record = job && (await toJobRecord(ctx, job, { userId, ref: deployment.ref }))
      const id = await insertDeployment(ctx, project.id, {
        ...deployment,
        environmentId: environment.id,
        userId,
        job: record,
      })
      await markAvailableOnSuccess(ctx, environment, deployment.status)
      const created = await announceDeployment(ctx, project, id)
      return withMergeRequests(ctx, await addApprovals(ctx, project.id, created), created)
    },
  }),

  /**
   * Updates the status of a deployment.
   *
   * @throws PlatformError `forbidden` if its environment is protected against the current user
   */
  update: command({
    on: project,
    can: 'deployment.create',
    scopes: ['job_token'],
    input: {
      ...deploymentInput,
      /** New state, also an earlier one; `success` makes a stopped environment available. */
      status: v.picklist(reportedStatuses),
    },
    async run(ctx, { deployment, status }, subject) {
      const { environmentId, ...before } = await findDeployment(ctx, subject.project.id, deployment)
      const environment = await findEnvironment(ctx, subject.project.id, environmentId)
      await assertMayChangeEnvironment(ctx, subject.project, environment.name)
      if (before.status === status) return describe(ctx, subject, await getDeployment(ctx, subject.project, deployment))
      await updateChanged(ctx, 'deployment', deployment, toStatus(ctx, status))
      await markAvailableOnSuccess(ctx, environment, status)
      const changed = await announceDeployment(ctx, subject.project, deployment)
      return withMergeRequests(ctx, await describe(ctx, subject, changed), changed)
    },
  }),

  /**
   * Removes a deployment. A running one is `invalid`.
   *
   * @throws PlatformError `forbidden` if its environment is protected against the current user
   */
  remove: command({
    on: project,
    can: 'deployment.remove',
    scopes: ['job_token'],
    input: deploymentInput,
    async run(ctx, { deployment }, { project }) {
      const { id, status, environment } = await getDeployment(ctx, project, deployment)
      await assertMayChangeEnvironment(ctx, project, environment.name)
      if (status === 'running') throw invalid('Cannot destroy running deployment')
      await assertRowUnmodified(ctx, 'deployment', id)
      await ctx.db.deleteFrom('deployment').where('id', '=', id).execute()
    },
  }),
}
