import * as v from 'valibot'
import { project } from '../../access/subjects.ts'
import type { Project } from '../../contract/project.ts'
import type { CompleteRow } from '../../db/complete-row.ts'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { Id, IdOrName, Instant, normalizeInstant } from '../../kernel/inputs.ts'
import { nextInternalId } from '../../kernel/internal-id.ts'
import { command, query } from '../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../kernel/paging.ts'
import { parseHumanDuration } from '../../shared/human-duration.ts'
import { findUser } from '../accounts/queries.ts'
import { resolveAuthorId } from '../issuables/author.ts'
import { getSettings } from '../settings/queries.ts'
import { assertCanDeploy } from './deploy-access.ts'
import { type Deployment, type DeploymentJobRecord, type DeploymentStatus, deploymentStatuses } from './deployment.ts'
import { type EnvironmentRow, findEnvironment, selectDeployments, toDeployments } from './queries.ts'

const Text = v.pipe(v.string(), v.maxLength(1_024))
const Sha = v.pipe(v.string(), v.regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/))
const NullableInstant = v.optional(v.nullable(Instant), null)
const NullableAmount = v.optional(v.nullable(v.pipe(v.number(), v.minValue(0))), null)
const WebUrl = v.optional(v.nullable(v.pipe(Text, v.regex(/^https?:\/\//i))), null)

const Commit = v.strictObject({
  id: Sha,
  title: Text,
  message: v.string(),
  authorName: Text,
  authorEmail: Text,
  createdAt: Instant,
})

const Pipeline = v.strictObject({ id: Id, ref: Text, sha: Sha, status: Text, webUrl: WebUrl })

const Artifact = v.strictObject({
  fileType: Text,
  filename: Text,
  fileFormat: v.optional(v.nullable(Text), null),
  size: v.pipe(Id, v.minValue(0)),
})

const Runner = v.strictObject({
  id: Id,
  description: Text,
  active: v.optional(v.boolean(), true),
  isShared: v.optional(v.boolean(), false),
})

/** A job as the host describes it. `user` defaults to the user of the deployment. */
const DeploymentJob = v.strictObject({
  id: Id,
  status: v.optional(Text, 'success'),
  stage: v.optional(Text, 'deploy'),
  name: v.optional(Text, 'deploy'),
  ref: v.optional(Text),
  tag: v.optional(v.boolean(), false),
  coverage: NullableAmount,
  createdAt: v.optional(Instant),
  startedAt: NullableInstant,
  finishedAt: NullableInstant,
  duration: NullableAmount,
  user: v.optional(IdOrName),
  commit: v.optional(v.nullable(Commit), null),
  pipeline: v.optional(v.nullable(Pipeline), null),
  webUrl: WebUrl,
  artifacts: v.optional(v.pipe(v.array(Artifact), v.maxLength(100)), []),
  runner: v.optional(v.nullable(Runner), null),
  /** Defaults to the setting `defaultArtifactsExpireIn`; null: never. */
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

/** A successful deployment restarts a stopped environment. */
const markAvailableOnSuccess = async (
  ctx: Context,
  { id, state }: Pick<EnvironmentRow, 'id' | 'state'>,
  status: DeploymentStatus,
) => {
  if (status !== 'success' || state === 'available') return
  await ctx.db.updateTable('environment').set({ state: 'available', updatedAt: ctx.now }).where('id', '=', id).execute()
}

const getDeployment = async (ctx: Context, project: Project, id: number): Promise<Deployment> => {
  const rows = await selectDeployments(ctx, project.id).where('id', '=', id).execute()
  return (await toDeployments(ctx, project, rows))[0] as Deployment
}

export const deployments = {
  /** Lists the deployments of a project, newest first, filtered by `environment`. */
  list: query({
    on: project,
    can: 'environment.read',
    input: { ...pagingEntries, environment: v.optional(Id) },
    async run(ctx, { environment, ...paging }, subject) {
      const rows = selectDeployments(ctx, subject.project.id).orderBy('id', 'desc')
      const page = await paginate(
        environment === undefined ? rows : rows.where('environmentId', '=', environment),
        paging,
        (row) => row,
      )
      return { ...page, items: await toDeployments(ctx, subject.project, page.items) }
    },
  }),

  /**
   * Records a deployment. For a protected environment, the deploying user needs a grant. A host that acts on behalf of a user
   * passes `user`; the grants of that user apply.
   */
  create: command({
    on: project,
    can: 'deployment.create',
    input: {
      environment: Id,
      ref: Text,
      sha: Sha,
      status: v.optional(v.picklist(deploymentStatuses), 'success'),
      user: v.optional(IdOrName),
      job: v.optional(v.nullable(DeploymentJob), null),
    },
    async run(ctx, { environment: environmentId, user, job, ...deployment }, subject): Promise<Deployment> {
      const { project } = subject
      const environment = await findEnvironment(ctx, project.id, environmentId)
      const userId = await resolveAuthorId(ctx, user)
      await assertCanDeploy(ctx, project, environment.name, userId)
      const record = job && (await toJobRecord(ctx, job, { userId, ref: deployment.ref }))
      const iid = await nextInternalId(ctx, 'deployment', project.id)
      const [row] = await ctx.db
        .insertInto('deployment')
        .values({
          ...deployment,
          iid,
          projectId: project.id,
          environmentId,
          userId,
          job: record,
          createdAt: ctx.now,
          updatedAt: ctx.now,
        } satisfies CompleteRow<'deployment'>)
        .returning('id')
        .execute()
      await markAvailableOnSuccess(ctx, environment, deployment.status)
      return getDeployment(ctx, project, (row as { id: number }).id)
    },
  }),

  /** Updates the status of a deployment. */
  update: command({
    on: project,
    can: 'deployment.create',
    input: { deployment: Id, status: v.picklist(deploymentStatuses) },
    async run(ctx, { deployment, status }, subject): Promise<Deployment> {
      const [row] = await ctx.db
        .updateTable('deployment')
        .set({ status, updatedAt: ctx.now })
        .where('projectId', '=', subject.project.id)
        .where('id', '=', deployment)
        .returning('environmentId')
        .execute()
      if (!row) throw notFound()
      await markAvailableOnSuccess(ctx, await findEnvironment(ctx, subject.project.id, row.environmentId), status)
      return getDeployment(ctx, subject.project, deployment)
    },
  }),
}
