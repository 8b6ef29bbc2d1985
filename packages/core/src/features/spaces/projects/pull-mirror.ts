import * as v from 'valibot'
import type { Project } from '../../../contract/project.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import { updateChanged } from '../../../db/update-changed.ts'
import { getUserId, isAdministrator } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import { Id } from '../../../kernel/inputs.ts'
import { NamePatternInput } from '../../../kernel/name-pattern-input.ts'
import { maskOutboundUrl, type OutboundUrl } from '../../../network/outbound-url.ts'
import { defined } from '../../../shared/defined.ts'
import { parseImportUrl } from './import-source.ts'
import type { PullMirror } from './pull-mirror-record.ts'
import { readProjectSettings } from './stored-settings.ts'

/** The options of a pull mirror. */
export const pullMirrorOptions = {
  /** Whether updates create pipelines. Default of a new mirror: false. */
  mirrorTriggerBuilds: v.optional(v.boolean()),
  /** Whether only protected branches are updated. Default of a new mirror: false. */
  onlyMirrorProtectedBranches: v.optional(v.boolean()),
  /**
   * Pattern in RE2 syntax, at most 255 characters: only branches whose name contains a match are updated; null or empty for all branches.
   * Replaces `onlyMirrorProtectedBranches`, and is removed by it. Default of a new mirror: null.
   */
  mirrorBranchRegex: v.optional(v.nullable(NamePatternInput)),
  /**
   * Whether branches and tags are overwritten that have commits which the other repository does not have, instead of skipped. Default
   * of a new mirror: false.
   */
  mirrorOverwritesDivergedBranches: v.optional(v.boolean()),
}

/** What changes of a project can contain about its pull mirror. */
export const pullMirrorInput = {
  /** Whether the repository is updated from `importUrl` every 30 minutes. Default of a new project: false. */
  mirror: v.optional(v.boolean()),
  /** Id of the user who updates the branches. For administrators; ignored for other callers. Default: who turns `mirror` on. */
  mirrorUserId: v.optional(Id),
  ...pullMirrorOptions,
}

const PullMirrorInput = v.object(pullMirrorInput)
export type PullMirrorInput = v.InferOutput<typeof PullMirrorInput>

/** A change of a pull mirror. */
export interface PullMirrorChange extends PullMirrorInput {
  /** Address of the other repository. */
  readonly importUrl?: OutboundUrl | undefined
}

/** Whether a change has a value. */
export const isGiven = (change: PullMirrorChange): boolean => Object.values(change).some((value) => value !== undefined)

/** Separates what belongs to the pull mirror from the other fields of a project. */
export const splitPullMirror = <T extends object>({
  mirror,
  mirrorUserId,
  mirrorTriggerBuilds,
  onlyMirrorProtectedBranches,
  mirrorBranchRegex,
  mirrorOverwritesDivergedBranches,
  ...rest
}: T & PullMirrorInput) => ({
  mirrorChange: {
    mirror,
    mirrorUserId,
    mirrorTriggerBuilds,
    onlyMirrorProtectedBranches,
    mirrorBranchRegex,
    mirrorOverwritesDivergedBranches,
  },
  rest,
})

/** The context in which the credentials of a mirror are sealed. */
export const pullMirrorContext = (projectId: number): string => `pull_mirror.${projectId}.credentials`

const findRow = ({ db }: Context, projectId: number) =>
  db.selectFrom('pullMirror').where('projectId', '=', projectId).selectAll().executeTakeFirst()

type Row = NonNullable<Awaited<ReturnType<typeof findRow>>>

const toPullMirror = (row: Row): PullMirror => ({
  id: row.id,
  enabled: row.enabled,
  url: row.shownUrl,
  updateStatus: row.updateStatus,
  lastError: row.lastError,
  lastUpdateAt: row.lastUpdateAt,
  lastUpdateStartedAt: row.lastUpdateStartedAt,
  lastSuccessfulUpdateAt: row.lastSuccessfulUpdateAt,
  nextUpdateAt: row.nextUpdateAt,
  mirrorTriggerBuilds: row.triggerBuilds,
  onlyMirrorProtectedBranches: row.onlyProtectedBranches,
  mirrorBranchRegex: row.branchRegex,
  mirrorOverwritesDivergedBranches: row.overwritesDivergedBranches,
})

/** The pull mirror of a project; undefined for a project that never had one. */
export const findPullMirror = async (ctx: Context, projectId: number): Promise<PullMirror | undefined> => {
  const row = await findRow(ctx, projectId)
  return row && row.url !== null ? toPullMirror(row) : undefined
}

/** Adds the job that updates a project at a time. A job with another time than the stored one has no effect. */
export const enqueuePull = (ctx: Context, { id, url }: Pick<Row, 'id' | 'url'>, dueAt: string): Promise<void> =>
  ctx.enqueue(
    'pullMirrors.pull',
    { mirror: id, dueAt },
    { runAfter: dueAt, destination: new URL(defined(url ?? undefined)).hostname },
  )

/** Has a job update a project now, also after failures. */
export const requestPull = async (ctx: Context, projectId: number): Promise<void> => {
  const rows = await ctx.db
    .updateTable('pullMirror')
    .set({ nextUpdateAt: ctx.now, updateStatus: 'scheduled', failureCount: 0 })
    .where('projectId', '=', projectId)
    .where('enabled', '=', true)
    .returning(['id', 'url'])
    .execute()
  for (const row of rows) await enqueuePull(ctx, row, ctx.now)
}

const newRow = (projectId: number, now: string) => ({
  projectId,
  enabled: false,
  url: null,
  shownUrl: null,
  sealedCredentials: null,
  userId: null,
  triggerBuilds: false,
  onlyProtectedBranches: null,
  branchRegex: null,
  overwritesDivergedBranches: false,
  updateStatus: 'none' as const,
  lastError: null,
  lastUpdateAt: null,
  lastUpdateStartedAt: null,
  lastSuccessfulUpdateAt: null,
  failureCount: 0,
  nextUpdateAt: null,
  createdAt: now,
  updatedAt: now,
})

const insertRow = async (ctx: Context, projectId: number): Promise<Row> => {
  const row = newRow(projectId, ctx.now)
  const { id } = await ctx.db
    .insertInto('pullMirror')
    .values(row satisfies CompleteRow<'pullMirror'>)
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, ...row }
}

/** Whether an address and its credentials are the stored ones. */
const isStoredAddress = ({ ports }: Context, { projectId, url, sealedCredentials }: Row, target: OutboundUrl) => {
  const { user, password } = target
  if (target.url !== url) return false
  if (sealedCredentials === null) return user === null && password === null
  return ports.secrets.open(sealedCredentials, pullMirrorContext(projectId)) === JSON.stringify({ user, password })
}

/** The columns of an address. The credentials are stored encrypted. */
const toAddressColumns = ({ ports }: Context, projectId: number, target: OutboundUrl) => {
  const { url, user, password } = target
  const hasCredentials = user !== null || password !== null
  return {
    url,
    shownUrl: maskOutboundUrl(target),
    sealedCredentials: hasCredentials
      ? ports.secrets.seal(JSON.stringify({ user, password }), pullMirrorContext(projectId))
      : null,
  }
}

/** The address that the project was imported from, unless it had credentials, which are not stored. */
const findImportedAddress = async (ctx: Context, projectId: number): Promise<OutboundUrl | undefined> => {
  const { importType, importSource } = await readProjectSettings(ctx, projectId)
  return importType === 'git' && importSource !== null && !importSource.includes('*****')
    ? parseImportUrl(ctx, importSource)
    : undefined
}

/** A mirror has one of the two selections of branches: the given one replaces the other. */
const toSelectionColumns = ({ mirrorBranchRegex: regex, onlyMirrorProtectedBranches: only }: PullMirrorChange) => {
  if (regex && only)
    throw invalid({ base: ['mirror_branch_regex and only_mirror_protected_branches cannot be used together'] })
  if (regex) return { branchRegex: regex, onlyProtectedBranches: false }
  return {
    ...(only !== undefined && { onlyProtectedBranches: only }),
    ...((regex !== undefined || only === true) && { branchRegex: null }),
  }
}

const findMirrorUser = async (ctx: Context, { mirror, mirrorUserId }: PullMirrorChange) => {
  if (mirrorUserId !== undefined && (ctx.actor.kind === 'system' || isAdministrator(ctx.actor))) {
    const user = await ctx.db.selectFrom('user').where('id', '=', mirrorUserId).select('id').executeTakeFirst()
    if (!user) throw invalid({ mirrorUserId: ['is invalid'] })
    return { userId: user.id }
  }
  return mirror === true ? { userId: getUserId(ctx.actor) || null } : {}
}

/**
 * Changes the pull mirror of a project. Turning it on, and a new address of one that is on, has a job update the project.
 *
 * @throws PlatformError `invalid` for a mirror without an address, two selections of branches or an unknown user; `not_licensed` in the
 * free tier
 */
export async function changePullMirror(
  ctx: Context,
  { id }: Pick<Project, 'id'>,
  change: PullMirrorChange,
): Promise<void> {
  if (!isGiven(change)) return
  const row = (await findRow(ctx, id)) ?? (await insertRow(ctx, id))
  const isTurnedOn = change.mirror === true && !row.enabled
  const given = change.importUrl ?? (isTurnedOn && row.url === null ? await findImportedAddress(ctx, id) : undefined)
  const target = given && isStoredAddress(ctx, row, given) ? undefined : given
  const columns = {
    ...(change.mirror !== undefined && { enabled: change.mirror }),
    ...(change.mirror === false && { nextUpdateAt: null }),
    ...(target && toAddressColumns(ctx, id, target)),
    ...((isTurnedOn || change.mirrorUserId !== undefined) && (await findMirrorUser(ctx, change))),
    ...(change.mirrorTriggerBuilds !== undefined && { triggerBuilds: change.mirrorTriggerBuilds }),
    ...(change.mirrorOverwritesDivergedBranches !== undefined && {
      overwritesDivergedBranches: change.mirrorOverwritesDivergedBranches,
    }),
    ...toSelectionColumns(change),
  }
  const after = { ...row, ...columns }
  if (after.enabled && after.url === null) throw invalid({ importUrl: ["can't be blank"] })
  await updateChanged(ctx, 'pullMirror', row.id, columns)
  if (after.enabled && (isTurnedOn || target)) await requestPull(ctx, id)
}
