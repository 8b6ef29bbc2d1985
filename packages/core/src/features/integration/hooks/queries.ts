import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { getHookState, type Hook, type HookEvent, type HookSecrets, hookSecretsContext, noSecrets } from './hook.ts'

/** The project or group of a hook; both are null for a system hook. */
export interface HookOwner {
  readonly projectId: number | null
  readonly groupId: number | null
}

export const systemOwner: HookOwner = { projectId: null, groupId: null }

/** The owner as one text, by which hooks are found. */
export const toScope = ({ projectId, groupId }: HookOwner): string => {
  if (projectId !== null) return `p${projectId}`
  return groupId === null ? 'i' : `g${groupId}`
}

export const hookColumns = [
  'hook.id',
  'hook.projectId',
  'hook.groupId',
  'hook.name',
  'hook.description',
  'hook.url',
  'hook.shownUrl',
  'hook.sealedSecrets',
  'hook.headerNames',
  'hook.variableNames',
  'hook.customWebhookTemplate',
  'hook.events',
  'hook.pushEventsBranchFilter',
  'hook.branchFilterStrategy',
  'hook.enableSslVerification',
  'hook.siteUrl',
  'hook.failures',
  'hook.retryAt',
  'hook.minute',
  'hook.minuteCount',
  'hook.limitedMinutes',
  'hook.uuid',
  'hook.createdAt',
] as const

/** The hooks of these owners. */
export const selectHooks = ({ db }: Pick<Context, 'db'>, owners: readonly HookOwner[]) =>
  db.selectFrom('hook').where('scope', 'in', owners.map(toScope)).select(hookColumns)

export type HookRow = Awaited<ReturnType<ReturnType<typeof selectHooks>['executeTakeFirstOrThrow']>>

/** The row of a hook of this owner. */
export async function getHookRow(ctx: Context, owner: HookOwner, id: number): Promise<HookRow> {
  const row = await selectHooks(ctx, [owner]).where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound()
  return row
}

/** The hook as its maintainers see it, without secrets. */
export const toHook = (row: HookRow, now: string): Hook => {
  const has = (event: HookEvent) => row.events.includes(event)
  return {
    id: row.id,
    projectId: row.projectId,
    groupId: row.groupId,
    name: row.name,
    description: row.description,
    url: row.shownUrl,
    urlVariables: row.variableNames.map((key) => ({ key })),
    customWebhookTemplate: row.customWebhookTemplate,
    pushEvents: has('pushEvents'),
    tagPushEvents: has('tagPushEvents'),
    issuesEvents: has('issuesEvents'),
    confidentialIssuesEvents: has('confidentialIssuesEvents'),
    noteEvents: has('noteEvents'),
    confidentialNoteEvents: has('confidentialNoteEvents'),
    mergeRequestsEvents: has('mergeRequestsEvents'),
    jobEvents: has('jobEvents'),
    pipelineEvents: has('pipelineEvents'),
    wikiPageEvents: has('wikiPageEvents'),
    deploymentEvents: has('deploymentEvents'),
    releasesEvents: has('releasesEvents'),
    milestoneEvents: has('milestoneEvents'),
    emojiEvents: has('emojiEvents'),
    featureFlagEvents: has('featureFlagEvents'),
    resourceAccessTokenEvents: has('resourceAccessTokenEvents'),
    vulnerabilityEvents: has('vulnerabilityEvents'),
    subgroupEvents: has('subgroupEvents'),
    memberEvents: has('memberEvents'),
    repositoryUpdateEvents: has('repositoryUpdateEvents'),
    pushEventsBranchFilter: row.pushEventsBranchFilter,
    branchFilterStrategy: row.branchFilterStrategy,
    enableSslVerification: row.enableSslVerification,
    customHeaders: row.headerNames.map((key) => ({ key })),
    ...getHookState(row, now),
    createdAt: row.createdAt,
  }
}

/**
 * Decrypts the secrets of a hook.
 *
 * @throws PlatformError `unavailable` if the key of the platform is missing or another one
 */
export const readSecrets = (
  { ports }: Pick<Context, 'ports'>,
  { id, sealedSecrets }: Pick<HookRow, 'id' | 'sealedSecrets'>,
): HookSecrets =>
  sealedSecrets === null
    ? noSecrets
    : (JSON.parse(ports.secrets.open(sealedSecrets, hookSecretsContext(id))) as HookSecrets)
