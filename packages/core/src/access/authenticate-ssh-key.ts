import type { Actor, UserActor } from '../kernel/actor.ts'
import { PlatformError } from '../kernel/errors.ts'
import { preparedQuery } from '../kernel/prepared-query.ts'
import type { Handle } from '../kernel/store.ts'

/** Not cached: a connection transfers a repository, next to which a query is cheap. */
const keyByFingerprint = preparedQuery((db, { sha256 }: { sha256: string }) =>
  db
    .selectFrom('sshKey')
    .where('sha256', '=', sha256)
    .select(['id', 'userId', 'creatorId', 'deploy', 'usageType', 'expiresAt']),
)

/** What a key permits: git, and nothing of the API. */
const scopes = ['read_repository', 'write_repository'] as const

/** A key of a user is `{ userId }`; a deploy key is an actor itself. */
type KeyOwner =
  | Extract<Actor, { kind: 'deployKey' }>
  | (Required<Pick<UserActor, 'sshKeyId' | 'scopes'>> & { readonly userId: number })

/**
 * Finds who an SSH key belongs to.
 *
 * @throws PlatformError `unauthenticated` for a key that is unknown, expired, or for signatures only
 */
export const findKeyOwner = async (handle: Handle, fingerprint: string, now: string): Promise<KeyOwner> => {
  const sha256 = typeof fingerprint === 'string' ? fingerprint : ''
  const [key] = await keyByFingerprint(handle, { sha256 })
  if (key === undefined || key.usageType === 'signing')
    throw new PlatformError('unauthenticated', 'The SSH key is not known', { reason: 'unknown' })
  if (key.expiresAt !== null && key.expiresAt <= now)
    throw new PlatformError('unauthenticated', 'Your SSH key has expired.', { reason: 'expired' })
  const { id: sshKeyId, userId, creatorId } = key
  if (key.deploy) return { kind: 'deployKey', sshKeyId, creatorId, scopes }
  if (userId === null) throw new PlatformError('unauthenticated', 'The SSH key has no user', { reason: 'unknown' })
  return { userId, sshKeyId, scopes }
}
