import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { findGroup } from '../../../access/namespaces.ts'
import { findProject } from '../../../access/projects.ts'
import { assertRowUnmodified } from '../../../db/assert-row-unmodified.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import { updateChanged } from '../../../db/update-changed.ts'
import type { Context } from '../../../kernel/context.ts'
import { afterTransaction, type Deferred } from '../../../kernel/deferred.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import type { OutboundUrl } from '../../../network/outbound-url.ts'
import { assertUrlAllowed } from '../../administration/settings/outbound-destination.ts'
import { getOutboundRules } from '../../administration/settings/outbound-rules.ts'
import { type Hook, type HookEvent, type HookSecrets, hookSecretsContext, noSecrets } from './hook.ts'
import { type HookFields, mergeEvents } from './hook-input.ts'
import { getHookRow, type HookOwner, type HookRow, readSecrets, toHook, toScope } from './queries.ts'
import { type HookUrl, hasVariables, parseHookUrl, toTargetUrl } from './url-template.ts'

/** The greatest number of hooks of one project, one group or the instance. */
const maxHooks = 100

/** The address rules for hooks of an owner: system hooks have a setting of their own. */
export const getHookRules = (ctx: Context, { projectId, groupId }: HookOwner) =>
  getOutboundRules(ctx, projectId === null && groupId === null ? 'administrators' : 'users')

const assertOwnerExists = async (ctx: Context, { projectId, groupId }: HookOwner) => {
  if (projectId !== null && !(await findProject(ctx, projectId))) throw notFound('Project')
  if (groupId !== null && !(await findGroup(ctx, groupId))) throw notFound('Group')
}

const mergeVariables = (
  before: HookSecrets['urlVariables'],
  changes: HookFields['urlVariables'] = [],
): HookSecrets['urlVariables'] =>
  Object.fromEntries([
    ...Object.entries(before).filter(([key]) => !changes.some((change) => change.key === key)),
    ...changes.flatMap(({ key, value }): [string, string][] => (value === null ? [] : [[key, value]])),
  ])

/** The secrets after a change; fields that are not set keep their values. */
const mergeSecrets = (before: HookSecrets, fields: HookFields): HookSecrets => ({
  ...before,
  token: fields.token === undefined ? before.token : fields.token || null,
  headers:
    fields.customHeaders === undefined
      ? before.headers
      : Object.fromEntries(fields.customHeaders.map(({ key, value }) => [key, value])),
  urlVariables: mergeVariables(before.urlVariables, fields.urlVariables),
})

/** The secrets for another address: those of the former one are not sent to it. */
const secretsForUrl = ({ user, password }: OutboundUrl): HookSecrets => ({ ...noSecrets, user, password })

const sealSecrets = ({ ports }: Context, id: number, secrets: HookSecrets): string | null => {
  return isDeepStrictEqual(secrets, noSecrets)
    ? null
    : ports.secrets.seal(JSON.stringify(secrets), hookSecretsContext(id))
}

const addHook = async (
  ctx: Context,
  owner: HookOwner,
  { target, url, shownUrl }: HookUrl,
  fields: HookFields,
  defaults: readonly HookEvent[],
): Promise<Hook> => {
  const { count } = await ctx.db
    .selectFrom('hook')
    .where('scope', '=', toScope(owner))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  if (count >= maxHooks) throw invalid({ base: [`Maximum number of hooks (${maxHooks}) exceeded`] })
  const secrets = mergeSecrets(secretsForUrl(target), fields)
  const { id } = await ctx.db
    .insertInto('hook')
    .values({
      ...owner,
      scope: toScope(owner),
      uuid: randomUUID(),
      name: fields.name || null,
      description: fields.description || null,
      url,
      shownUrl,
      sealedSecrets: null,
      headerNames: Object.keys(secrets.headers),
      variableNames: Object.keys(secrets.urlVariables),
      customWebhookTemplate: fields.customWebhookTemplate || null,
      events: mergeEvents(defaults, fields),
      pushEventsBranchFilter: fields.pushEventsBranchFilter ?? '',
      branchFilterStrategy: fields.branchFilterStrategy ?? 'wildcard',
      enableSslVerification: fields.enableSslVerification ?? true,
      siteUrl: ctx.call.siteUrl ?? null,
      failures: 0,
      retryAt: null,
      minute: null,
      minuteCount: 0,
      limitedMinutes: 0,
      createdAt: ctx.now,
      updatedAt: ctx.now,
    } satisfies CompleteRow<'hook'>)
    .returning('id')
    .executeTakeFirstOrThrow()
  const sealedSecrets = sealSecrets(ctx, id, secrets)
  if (sealedSecrets !== null) await ctx.db.updateTable('hook').set({ sealedSecrets }).where('id', '=', id).execute()
  return toHook(await getHookRow(ctx, owner, id), ctx.now)
}

/** Resolves the host of a URL outside the transaction, and then writes. The host application is trusted and needs no lookup. */
const writeAfterLookup = async (
  ctx: Context,
  owner: HookOwner,
  url: string,
  write: (ctx: Context) => Promise<Hook>,
): Promise<Hook | Deferred<Hook>> => {
  if (ctx.actor.kind === 'system') return write(ctx)
  const rules = await getHookRules(ctx, owner)
  return afterTransaction(async (runner) => {
    await assertUrlAllowed(ctx.ports, rules, url)
    return runner.write(async (ctx) => {
      await assertOwnerExists(ctx, owner)
      return write(ctx)
    })
  })
}

/** Creates a hook of an owner. `defaults`: the kinds of events that it receives unless a flag says otherwise. */
export async function createHook(
  ctx: Context,
  owner: HookOwner,
  { url, ...fields }: HookFields & { readonly url: string },
  defaults: readonly HookEvent[],
): Promise<Hook | Deferred<Hook>> {
  const hookUrl = parseHookUrl(url, mergeVariables({}, fields.urlVariables), await getHookRules(ctx, owner))
  return writeAfterLookup(ctx, owner, hookUrl.target.url, (ctx) => addHook(ctx, owner, hookUrl, fields, defaults))
}

/** Whether requests go to another receiver. New values of variables in the same URL change it only if its origin changes. */
const isOtherReceiver = (before: OutboundUrl, { target }: HookUrl, isSameTemplate: boolean) =>
  isSameTemplate ? new URL(before.url).origin !== new URL(target.url).origin : !isDeepStrictEqual(before, target)

const changeHook = async (ctx: Context, row: HookRow, changed: HookUrl | undefined, fields: HookFields) => {
  const before = readSecrets(ctx, row)
  const isSameTemplate = changed?.url === row.url && hasVariables(row.url)
  const isMoved = changed && isOtherReceiver(toTargetUrl(row.url, before), changed, isSameTemplate)
  const urlVariables = isSameTemplate ? before.urlVariables : {}
  const kept = isMoved ? { ...secretsForUrl(changed.target), urlVariables } : before
  const secrets = mergeSecrets(kept, fields)
  await updateChanged(ctx, 'hook', row.id, {
    ...(changed && { url: changed.url, shownUrl: changed.shownUrl }),
    // Sealing equal secrets again would give another text.
    ...(!isDeepStrictEqual(secrets, before) && { sealedSecrets: sealSecrets(ctx, row.id, secrets) }),
    ...(fields.name !== undefined && { name: fields.name || null }),
    ...(fields.description !== undefined && { description: fields.description || null }),
    ...(fields.customWebhookTemplate !== undefined && { customWebhookTemplate: fields.customWebhookTemplate || null }),
    headerNames: Object.keys(secrets.headers),
    variableNames: Object.keys(secrets.urlVariables),
    events: mergeEvents(row.events, fields),
    pushEventsBranchFilter: fields.pushEventsBranchFilter ?? row.pushEventsBranchFilter,
    branchFilterStrategy: fields.branchFilterStrategy ?? row.branchFilterStrategy,
    enableSslVerification: fields.enableSslVerification ?? row.enableSslVerification,
    siteUrl: ctx.call.siteUrl ?? row.siteUrl,
  })
  await enableHook(ctx, row)
  return toHook(await getHookRow(ctx, row, row.id), ctx.now)
}

/** Changes a hook and enables it again. The URL that responses contain, with masked credentials, keeps the stored one. */
export async function updateHook(
  ctx: Context,
  owner: HookOwner,
  id: number,
  { url, ...fields }: HookFields & { readonly url?: string | undefined },
): Promise<Hook | Deferred<Hook>> {
  const row = await getHookRow(ctx, owner, id)
  const isSameUrl = url === undefined || url === row.shownUrl
  if (isSameUrl && (!fields.urlVariables?.length || !hasVariables(row.url)))
    return changeHook(ctx, row, undefined, fields)
  const { urlVariables } = isSameUrl ? readSecrets(ctx, row) : noSecrets
  const variables = mergeVariables(urlVariables, fields.urlVariables)
  const changed = parseHookUrl(isSameUrl ? row.url : url, variables, await getHookRules(ctx, owner))
  return writeAfterLookup(ctx, owner, changed.target.url, async (ctx) =>
    changeHook(ctx, await getHookRow(ctx, owner, id), changed, fields),
  )
}

/** The greatest number of custom headers, and of URL variables, of a hook. */
const maxSecrets = 20

const assertChangeable = (names: readonly string[], key: string, value: string | null, kind: string) => {
  const isKnown = names.includes(key)
  if (value === null && !isKnown) throw notFound(kind)
  if (!isKnown && names.length >= maxSecrets) throw invalid({ base: [`Maximum number (${maxSecrets}) exceeded`] })
}

/** Sets a custom header, or removes it for null. */
export async function changeHeader(
  ctx: Context,
  owner: HookOwner,
  id: number,
  key: string,
  value: string | null,
): Promise<Hook> {
  const row = await getHookRow(ctx, owner, id)
  assertChangeable(row.headerNames, key, value, 'Custom header')
  if (value === null) await assertRowUnmodified(ctx, 'hook', id)
  const { [key]: _, ...others } = readSecrets(ctx, row).headers
  const headers = value === null ? others : { ...others, [key]: value }
  const customHeaders = Object.entries(headers).map(([key, value]) => ({ key, value }))
  return changeHook(ctx, row, undefined, { customHeaders })
}

/** Sets a URL variable, or removes it for null. */
export async function changeVariable(
  ctx: Context,
  owner: HookOwner,
  id: number,
  key: string,
  value: string | null,
): Promise<Hook | Deferred<Hook>> {
  const row = await getHookRow(ctx, owner, id)
  assertChangeable(row.variableNames, key, value, 'URL variable')
  if (value === null) await assertRowUnmodified(ctx, 'hook', id)
  return updateHook(ctx, owner, id, { urlVariables: [{ key, value }] })
}

/** Forgets the failures of a hook, and sends what is pending. */
async function enableHook(ctx: Context, { id, failures, limitedMinutes }: HookRow): Promise<void> {
  if (failures === 0 && limitedMinutes === 0) return
  await ctx.db.updateTable('hook').set({ failures: 0, retryAt: null, limitedMinutes: 0 }).where('id', '=', id).execute()
  await enqueueDeliveries(ctx, [id])
}

/** Sends the pending deliveries of hooks after the commit. Only one job of a hook runs at a time, which keeps their order. */
export const enqueueDeliveries = (ctx: Context, hooks: readonly number[], runAfter = ctx.now): Promise<void> =>
  // Without a key: a job with the key that ends at this moment would not see the delivery.
  ctx.enqueueAll(
    'hooks.deliver',
    hooks.map((hook) => ({ payload: { hook }, destination: `hook ${hook}`, runAfter })),
  )

/** Stores an event for the deliveries that are inserted with it. Returns its id. */
export async function insertEvent(
  { db, now }: Context,
  event: Omit<CompleteRow<'hookEvent'>, 'createdAt'>,
): Promise<number> {
  const row = await db
    .insertInto('hookEvent')
    .values({ ...event, createdAt: now } satisfies CompleteRow<'hookEvent'>)
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** Removes a hook with its pending deliveries and its log. */
export async function removeHook(ctx: Context, owner: HookOwner, id: number): Promise<void> {
  await getHookRow(ctx, owner, id)
  await assertRowUnmodified(ctx, 'hook', id)
  await ctx.db.deleteFrom('hook').where('id', '=', id).execute()
}
