import { randomUUID } from 'node:crypto'
import { findLineage } from '../../../access/namespaces.ts'
import { findProject } from '../../../access/projects.ts'
import type { Project } from '../../../contract/project.ts'
import type { CompleteRow } from '../../../db/complete-row.ts'
import type { Context } from '../../../kernel/context.ts'
import type { HookPayload } from './delivery.ts'
import { type EventKind, receives } from './event-kinds.ts'
import { failureLimits } from './hook.ts'
import { enqueueDeliveries, insertEvent } from './mutations.ts'
import type { PayloadContext } from './payloads/common.ts'
import { needsRepository } from './payloads/complete.ts'
import { type HookOwner, type HookRow, selectHooks, systemOwner } from './queries.ts'
import { findBlocked, recursionReason, toBlockedResult } from './recursion.ts'

/** The owners of the hooks that receive an event of a project: the project, the groups above it, and the instance. */
const findProjectOwners = async (ctx: Context, { id, namespaceId }: Project): Promise<readonly HookOwner[]> => [
  { projectId: id, groupId: null },
  ...(await findGroupOwners(ctx, namespaceId)),
  systemOwner,
]

/** The owners of the hooks that receive an event of a group: the group itself and the groups above it. */
export const findGroupOwners = async (ctx: Context, groupId: number): Promise<readonly HookOwner[]> =>
  (await findLineage(ctx, groupId)).map((groupId) => ({ projectId: null, groupId }))

interface Event {
  readonly kind: EventKind
  /** Whether a hook that receives events of the kind receives this one. */
  readonly accepts?: (hook: HookRow) => boolean
  /** Builds the payload; called once, and only if a hook receives the event. Undefined for no event. */
  readonly build: (payload: PayloadContext) => HookPayload | undefined | Promise<HookPayload | undefined>
}

const insertDeliveries = async (ctx: Context, hooks: readonly HookRow[], kind: EventKind, payload: HookPayload) => {
  const isComplete = !needsRepository(kind)
  const { hookChain } = ctx.call
  const { isBlocked, isLogged } = await findBlocked(ctx)
  const receivers = hooks.filter(({ id }) => !isBlocked(id) || !isLogged(id))
  if (!receivers.length) return
  const eventId = await insertEvent(ctx, { kind, payload, isComplete })
  await ctx.db
    .insertInto('hookDelivery')
    .values(
      receivers.map(
        ({ id }) =>
          ({
            hookId: id,
            eventId,
            idempotencyKey: randomUUID(),
            chain: hookChain?.uuid ?? randomUUID(),
            chainCall: hookChain?.call ?? null,
            state: isBlocked(id) ? 'blocked' : 'pending',
            attempts: 0,
            result: isBlocked(id) ? toBlockedResult(recursionReason) : null,
            responseStatus: null,
          }) satisfies CompleteRow<'hookDelivery'>,
      ),
    )
    .execute()
  const open = receivers.filter(({ id }) => !isBlocked(id)).map(({ id }) => id)
  if (open.length) await enqueueDeliveries(ctx, open)
}

/**
 * Writes an event for each hook of the owners that receives it, in the transaction of the change: the event is sent if and only if
 * the change is committed.
 */
export const dispatch = async (ctx: Context, owners: readonly HookOwner[], events: readonly Event[]): Promise<void> => {
  const hooks = await selectHooks(ctx, owners).orderBy('id').execute()
  const active = hooks.filter(({ failures }) => failures < failureLimits.permanent)
  for (const { kind, accepts = () => true, build } of events) {
    const receivers = active.filter((hook) => receives(hook.events, kind) && accepts(hook))
    if (!receivers.length) continue
    const site = ctx.call.siteUrl ?? receivers.find(({ siteUrl }) => siteUrl !== null)?.siteUrl ?? ''
    const payload = await build({ ctx, site })
    if (payload) await insertDeliveries(ctx, receivers, kind, payload)
  }
}

/**
 * Dispatches events of a project to its hooks, to those of the groups above it, and to system hooks. Receivers learn nothing of an
 * unfinished import.
 */
export const dispatchOfProject = async (
  ctx: Context,
  projectId: number,
  createEvents: (project: Project) => readonly Event[],
): Promise<void> => {
  const project = await findProject(ctx, projectId)
  if (project?.importerId === null) await dispatch(ctx, await findProjectOwners(ctx, project), createEvents(project))
}

/** Dispatches an event to the system hooks. */
export const dispatchToSystem = (ctx: Context, build: Event['build']): Promise<void> =>
  dispatch(ctx, [systemOwner], [{ kind: 'system', build }])
