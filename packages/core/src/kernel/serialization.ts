import { type Actor, getUserId } from './actor.ts'
import type { Lock } from './store.ts'

/**
 * The commands that must not run at the same time as a command.
 *
 * - `instance`: all others. For changes of permissions, settings and whole trees of groups.
 * - `tree`: all others in the same top-level group or personal namespace.
 * - `project`: those in the same project, and all of its tree that declare `tree`. In a group the same as `tree`.
 * - `user`: those of the same user that also declare `user`.
 */
export type Serialization = 'instance' | 'tree' | 'project' | 'user'

/** A project or a group. */
export interface Container {
  readonly kind: 'project' | 'group'
  readonly id: number
  readonly fullPath: string
}

/**
 * The locks of a command on a subject in a container. All commands take them in this order: first that of the instance, then
 * those of the container, then others.
 */
export const getContainerLocks = (
  serializes: Serialization | undefined,
  { kind, id, fullPath }: Container,
): readonly Lock[] => {
  // The path is that of the top-level namespace, which is renamed under the lock of the instance only.
  const tree = `tree ${fullPath.split('/', 1)[0]?.toLowerCase()}`
  if (serializes === 'tree') return [{ name: tree }]
  if (serializes !== 'project') return []
  return kind === 'project' ? [{ name: tree, isShared: true }, { name: `project ${id}` }] : [{ name: tree }]
}

export const getUserLock = (actor: Actor): Lock => ({ name: `user ${getUserId(actor)}` })
