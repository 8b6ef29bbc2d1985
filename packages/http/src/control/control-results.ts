import { PlatformError } from '@forgelet/core'
import type { HookDelivery } from '@forgelet/core/operations'
import type { ControlContext } from './control-route.ts'
import type { FaultHandle } from './faults.ts'

export const describeClock = ({
  world: { clock },
}: ControlContext): { readonly now: string; readonly frozen: boolean } => ({
  now: new Date(clock.now()).toISOString(),
  frozen: clock.frozen,
})

export const describeFault = ({ id, fault, seen, hit }: FaultHandle) => ({ id, seen, hit, fault })

export const listUserTokens = ({ world: { tokens } }: ControlContext) =>
  Object.entries(tokens).map(([username, token]) => ({ username, token }))

export const listProjects = async ({ world: { host } }: ControlContext) => {
  const { items } = await host.projects.list({ perPage: 100 })
  return items.map(({ id, fullPath, visibility, archived }) => ({ id, path: fullPath, visibility, archived }))
}

/** A request of a webhook without its body. */
export const describeDelivery = ({ id, trigger, url, responseStatus, createdAt }: HookDelivery) => ({
  id,
  trigger,
  url,
  responseStatus,
  createdAt,
})

/** The newest requests of webhooks. */
export const listDeliveries = async ({ world: { host } }: ControlContext, limit: number) =>
  (await host.hooks.listDeliveries({ perPage: limit })).items

export const createNotFoundError = (kind: string) => new PlatformError('not_found', `${kind} not found`, { kind })

export const getSnapshot = ({ snapshots }: ControlContext, name: string) => {
  const snapshot = snapshots.get(name)
  if (!snapshot) throw createNotFoundError('Snapshot')
  return snapshot
}

/** `snapshot-` and a number that no other snapshot has. */
export const createSnapshotName = ({ snapshots }: ControlContext): string => {
  let number = snapshots.size + 1
  while (snapshots.has(`snapshot-${number}`)) number += 1
  return `snapshot-${number}`
}
