import * as v from 'valibot'
import { project } from '../../access/subjects.ts'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { humanDuration } from '../../kernel/human-duration.ts'
import { Id, Instant, instant, Reference } from '../../kernel/inputs.ts'
import { nextInternalId } from '../../kernel/internal-id.ts'
import { command, query } from '../../kernel/operation.ts'
import { paginate, paging } from '../../kernel/paging.ts'
import { findUser } from '../accounts/queries.ts'
import { userIdOf } from '../issuables/author.ts'
import type { Project } from '../projects/project.ts'
import { settingsInForce } from '../settings/queries.ts'
import { type Deployment, type DeploymentStatus, deploymentStatuses, type JobRecord } from './deployment.ts'
import { refuseUnlessMayDeploy } from './protection.ts'
import { asDeployments, deploymentsOf, type EnvironmentRow, findEnvironment } from './queries.ts'

const Text = v.pipe(v.string(), v.maxLength(1_024))
const Sha = v.pipe(v.string(), v.regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/))
const Time = v.optional(v.nullable(Instant), null)
const Amount = v.optional(v.nullable(v.pipe(v.number(), v.minValue(0))), null)
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

/** A job as its host describes it. `user` is who deploys when nobody is named. */
const Job = v.strictObject({
  id: Id,
  status: v.optional(Text, 'success'),
  stage: v.optional(Text, 'deploy'),
  name: v.optional(Text, 'deploy'),
  ref: v.optional(Text),
  tag: v.optional(v.boolean(), false),
  coverage: Amount,
  createdAt: v.optional(Instant),
  startedAt: Time,
  finishedAt: Time,
  duration: Amount,
  user: v.optional(Reference),
  commit: v.optional(v.nullable(Commit), null),
  pipeline: v.optional(v.nullable(Pipeline), null),
  webUrl: WebUrl,
  artifacts: v.optional(v.pipe(v.array(Artifact), v.maxLength(100)), []),
  runner: v.optional(v.nullable(Runner), null),
  /** By default as the platform keeps artifacts; null for ever. */
  artifactsExpireAt: v.optional(v.nullable(Instant)),
})

type JobInput = v.InferOutput<typeof Job>

const instantIfAny = (text: string | null) => text && instant(text)

/** When a job's artifacts go: as its host says, or else after as long as the platform keeps them. */
const artifactsExpiry = async (
  ctx: Context,
  { artifacts, artifactsExpireAt, finishedAt }: Pick<JobInput, 'artifacts' | 'artifactsExpireAt' | 'finishedAt'>,
  createdAt: string | undefined,
): Promise<string | null> => {
  if (artifactsExpireAt !== undefined) return instantIfAny(artifactsExpireAt)
  const seconds = humanDuration((await settingsInForce(ctx)).defaultArtifactsExpireIn ?? '') ?? 0
  if (!artifacts.length || seconds === 0) return null
  return new Date(Date.parse(finishedAt ?? createdAt ?? ctx.now) + seconds * 1_000).toISOString()
}

const jobRecord = async (
  ctx: Context,
  { user, ref, createdAt, commit, ...given }: JobInput,
  usual: { readonly userId: number; readonly ref: string },
): Promise<JobRecord> => ({
  ...given,
  ref: ref ?? usual.ref,
  userId: user === undefined ? usual.userId : (await findUser(ctx, user)).id,
  createdAt: instant(createdAt ?? ctx.now),
  startedAt: instantIfAny(given.startedAt),
  finishedAt: instantIfAny(given.finishedAt),
  artifactsExpireAt: await artifactsExpiry(ctx, given, createdAt),
  commit: commit && { ...commit, createdAt: instant(commit.createdAt) },
})

/** What succeeds runs there again. */
const restart = async (ctx: Context, { id, state }: Pick<EnvironmentRow, 'id' | 'state'>, status: DeploymentStatus) => {
  if (status !== 'success' || state === 'available') return
  await ctx.db.updateTable('environment').set({ state: 'available', updatedAt: ctx.now }).where('id', '=', id).execute()
}

const one = async (ctx: Context, project: Project, id: number): Promise<Deployment> => {
  const rows = await deploymentsOf(ctx, project.id).where('id', '=', id).execute()
  return (await asDeployments(ctx, project, rows))[0] as Deployment
}

export const deployments = {
  /** Deployments of a project, newest first; with `environment`, those to one environment. */
  list: query({
    on: project,
    can: 'environment.read',
    input: { ...paging, environment: v.optional(Id) },
    async run(ctx, { environment, ...at }, subject) {
      const rows = deploymentsOf(ctx, subject.project.id).orderBy('id', 'desc')
      const page = await paginate(
        environment === undefined ? rows : rows.where('environmentId', '=', environment),
        at,
        (row) => row,
      )
      return { ...page, items: await asDeployments(ctx, subject.project, page.items) }
    },
  }),

  /**
   * Records a deployment that a host makes or has made. To a protected environment only those may deploy whom its
   * protection names; `user` is for hosts that act for somebody, whose own right counts then.
   */
  create: command({
    on: project,
    can: 'deployment.create',
    input: {
      environment: Id,
      ref: Text,
      sha: Sha,
      status: v.optional(v.picklist(deploymentStatuses), 'success'),
      user: v.optional(Reference),
      job: v.optional(v.nullable(Job), null),
    },
    async run(ctx, { environment, user, job, ...given }, subject): Promise<Deployment> {
      const { project } = subject
      const place = await findEnvironment(ctx, project.id, environment)
      const userId = await userIdOf(ctx, user)
      await refuseUnlessMayDeploy(ctx, project, place.name, userId)
      const record = job && (await jobRecord(ctx, job, { userId, ref: given.ref }))
      const iid = await nextInternalId(ctx, 'deployment', project.id)
      const [row] = await ctx.db
        .insertInto('deployment')
        .values({
          ...given,
          iid,
          projectId: project.id,
          environmentId: place.id,
          userId,
          job: record,
          createdAt: ctx.now,
          updatedAt: ctx.now,
        })
        .returning('id')
        .execute()
      await restart(ctx, place, given.status)
      return one(ctx, project, (row as { id: number }).id)
    },
  }),

  /** Says how a deployment goes on. */
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
      await restart(ctx, await findEnvironment(ctx, subject.project.id, row.environmentId), status)
      return one(ctx, subject.project, deployment)
    },
  }),
}
