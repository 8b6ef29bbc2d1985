import type * as v from 'valibot'
import { hashToken } from '../../../access/token-digest.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import { getUserId } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { addSeconds } from '../../../kernel/jobs/times.ts'
import { digestNewSecret } from '../../accounts/tokens/rows.ts'
import { generateTokenSecret } from '../../accounts/tokens/token.ts'
import { readProjectSettings } from '../../spaces/projects/stored-settings.ts'
import type { NewRunner } from './runner.ts'
import { assertTakesJobs, replaceTags, type runnerSettingsInput, toInfoColumns } from './settings.ts'

/** Where a runner takes jobs: in one project, in a group, or on the instance. */
export interface RunnerPlace {
  readonly projectId: number | null
  readonly groupId: number | null
}

export const toRunnerPlace = (subject: Subjects['project' | 'group' | 'instance']): RunnerPlace => ({
  projectId: subject.kind === 'project' ? subject.project.id : null,
  groupId: subject.kind === 'group' ? subject.group.id : null,
})

/** The place whose registration token this is; undefined for an unknown token. */
export const findPlaceByToken = async ({ db }: Context, token: string): Promise<RunnerPlace | undefined> => {
  const row = await db.selectFrom('runnersToken').where('token', '=', token).select('groupId').executeTakeFirst()
  if (row) return { projectId: null, groupId: row.groupId }
  const project = await db.selectFrom('project').where('runnersToken', '=', token).select('id').executeTakeFirst()
  return project && { projectId: project.id, groupId: null }
}

/** When a token that is created now expires, by the setting of the project. */
const findTokenExpiry = async (ctx: Context, projectId: number | null) => {
  if (projectId === null) return null
  const { runnerTokenExpirationInterval: seconds } = await readProjectSettings(ctx, projectId)
  return seconds === null || seconds === 0 ? null : addSeconds(ctx.now, seconds)
}

interface Settings extends v.InferOutput<v.ObjectSchema<typeof runnerSettingsInput, undefined>> {
  readonly info?: Readonly<Record<string, unknown>>
  readonly secret?: string | undefined
}

/** Inserts a runner. */
export const insertRunner = async (
  ctx: Context,
  { projectId, groupId }: RunnerPlace,
  { info = {}, tagList = [], runUntagged = true, secret, ...settings }: Settings,
): Promise<NewRunner> => {
  assertTakesJobs(tagList, runUntagged)
  const token = secret ?? generateTokenSecret(ctx.ports.random, 'glrt')
  const { name = null, version = null, revision = null, platform = null, architecture = null } = toInfoColumns(info)
  const tokenExpiresAt = await findTokenExpiry(ctx, projectId)
  const { id } = await ctx.db
    .insertInto('runner')
    .values({
      runnerType: projectId !== null ? 'project_type' : groupId !== null ? 'group_type' : 'instance_type',
      groupId,
      digest: await digestNewSecret(ctx, token),
      tokenExpiresAt,
      description: settings.description ?? null,
      maintenanceNote: settings.maintenanceNote ?? null,
      paused: settings.paused ?? false,
      locked: settings.locked ?? false,
      runUntagged,
      accessLevel: settings.accessLevel ?? 'not_protected',
      maximumTimeout: settings.maximumTimeout ?? null,
      name,
      version,
      revision,
      platform,
      architecture,
      ipAddress: null,
      contactedAt: null,
      creatorId: getUserId(ctx.actor) || null,
      createdAt: ctx.now,
      updatedAt: ctx.now,
    } satisfies CompleteRow<'runner'>)
    .returning('id')
    .executeTakeFirstOrThrow()
  await replaceTags(ctx, id, tagList)
  if (projectId !== null)
    await ctx.db
      .insertInto('runnerProject')
      .values({ runnerId: id, projectId } satisfies CompleteRow<'runnerProject'>)
      .execute()
  return { id, token, tokenExpiresAt }
}

/** Replaces the token of a runner. */
export const replaceToken = async (
  ctx: Context,
  { id, projectIds }: Subjects['runner']['runner'],
): Promise<NewRunner> => {
  const token = generateTokenSecret(ctx.ports.random, 'glrt')
  const digest = hashToken(token)
  const tokenExpiresAt = await findTokenExpiry(ctx, projectIds[0] ?? null)
  await ctx.db.updateTable('runner').set({ digest, tokenExpiresAt, updatedAt: ctx.now }).where('id', '=', id).execute()
  return { id, token, tokenExpiresAt }
}
