import { lower } from '../db/functions.ts'
import { type Actor, anonymous, type DeployTokenActor, type Identity, type UserActor } from '../kernel/actor.ts'
import type { ErrorReason } from '../kernel/error-codes.ts'
import { forbidden, notFound, PlatformError } from '../kernel/errors.ts'
import { cachedQuery, preparedQuery } from '../kernel/prepared-query.ts'
import { isScope } from '../kernel/scopes.ts'
import { chain, type Handle, type MaybePromise } from '../kernel/store.ts'
import { findKeyOwner } from './authenticate-ssh-key.ts'
import { hashToken } from './token-digest.ts'

const actorColumns = [
  'user.id',
  'user.username',
  'user.name',
  'user.state',
  'user.admin',
  'user.external',
  'user.bot',
  'user.mustAcceptTerms',
] as const

const userById = cachedQuery((db, { id }: { id: number }) =>
  db.selectFrom('user').where('id', '=', id).select(actorColumns),
)

const userByUsername = cachedQuery((db, { username }: { username: string }) =>
  db.selectFrom('user').where(lower('username'), '=', username).select(actorColumns),
)

const userByIdentity = cachedQuery((db, { provider, externalUid }: { provider: string; externalUid: string }) =>
  db
    .selectFrom('userIdentity as identity')
    .innerJoin('user', 'user.id', 'identity.userId')
    .where('identity.provider', '=', provider)
    .where('identity.externalUid', '=', externalUid)
    .select(actorColumns),
)

const userByToken = cachedQuery((db, { digest }: { digest: string }) =>
  db
    .selectFrom('personalAccessToken as token')
    .innerJoin('user', 'user.id', 'token.userId')
    .where('token.digest', '=', digest)
    .select([
      ...actorColumns,
      'token.id as tokenId',
      'token.scopes',
      'token.expiresAt',
      'token.revokedAt',
      'token.lastUsedAt',
    ]),
)

/** Access tokens of OAuth applications. Not cached: the provider often writes to the table. */
const userByOauthToken = preparedQuery((db, { digest }: { digest: string }) =>
  db
    .selectFrom('oauthRecord as token')
    .innerJoin('user', 'user.id', 'token.userId')
    .where('token.model', '=', 'AccessToken')
    .where('token.digest', '=', digest)
    .select([...actorColumns, 'token.scopes', 'token.expiresAt']),
)

const groupByScimToken = cachedQuery((db, { digest }: { digest: string }) =>
  db.selectFrom('scimToken').where('digest', '=', digest).select('groupId'),
)

type UserRow = Awaited<ReturnType<typeof userById>>[number]
type TokenRow = Awaited<ReturnType<typeof userByToken>>[number]
type OauthTokenRow = Awaited<ReturnType<typeof userByOauthToken>>[number]

/** An unknown, expired or revoked credential is an error; the call never continues as anonymous. */
const authenticationError = (message: string, reason: ErrorReason) =>
  new PlatformError('unauthenticated', message, { reason })

const toUserActor = (row: UserRow, scopes: UserActor['scopes']): UserActor => {
  if (row.state === 'blocked_pending_approval')
    throw forbidden('Your account is pending approval from your administrator and hence blocked.', row.state)
  if (row.state !== 'active') throw forbidden(`Your account has been ${row.state}.`, row.state)
  const { id, username, name, admin, external, bot, mustAcceptTerms } = row
  const actor = { kind: 'user', id, username, name, admin, external, bot, scopes } as const
  return mustAcceptTerms ? { ...actor, mustAcceptTerms } : actor
}

/**
 * The actor of a change that was permitted before: the user, even if blocked meanwhile, or the host if `userId` is null or the
 * user was deleted.
 */
export const findPastActor = async (handle: Handle, userId: number | null, reason: string): Promise<Actor> => {
  const [row] = userId === null ? [] : await userById(handle, { id: userId })
  return row ? toUserActor({ ...row, state: 'active' }, null) : { kind: 'system', reason }
}

/** The user as an actor; undefined for a blocked or deleted one. */
export const findActiveActor = async (handle: Handle, userId: number): Promise<UserActor | undefined> => {
  const [row] = await userById(handle, { id: userId })
  return row?.state === 'active' ? toUserActor(row, null) : undefined
}

/** JavaScript callers may pass an identity with an undefined value or a wrong type; it is treated as unknown, here and below. */
const findUserRows = (handle: Handle, user: number | string): MaybePromise<readonly UserRow[]> => {
  if (typeof user === 'number') return userById(handle, { id: user })
  return typeof user === 'string' ? userByUsername(handle, { username: user.toLowerCase() }) : []
}

const findTokenRows = (handle: Handle, token: string): MaybePromise<readonly TokenRow[]> =>
  typeof token === 'string' ? userByToken(handle, { digest: hashToken(token) }) : []

const unknownToken = () => authenticationError('Unknown token', 'unknown')

const expiredToken = () =>
  authenticationError('Token is expired. You can either do re-authorization or token refresh.', 'expired')

const authenticateToken = (row: TokenRow, now: string): UserActor => {
  if (row.revokedAt !== null)
    throw authenticationError('Token was revoked. You have to re-authorize from the user.', 'revoked')
  if (row.expiresAt !== null && row.expiresAt <= now.slice(0, 10)) throw expiredToken()
  const isRecorded = row.lastUsedAt !== null && row.lastUsedAt.slice(0, 10) >= now.slice(0, 10)
  const actor = { ...toUserActor(row, row.scopes), tokenId: row.tokenId }
  return isRecorded ? actor : { ...actor, unrecordedToken: row.tokenId }
}

type TokenIdentity = Extract<Identity, { readonly token: string }>

/** Not cached: requests with deploy tokens transfer repositories and files, next to which a query is cheap. */
const authenticateDeployToken = async (
  { db }: Handle,
  { token, username }: TokenIdentity,
  now: string,
): Promise<DeployTokenActor> => {
  const row = await db
    .selectFrom('deployToken')
    .where('digest', '=', hashToken(token))
    .select(['id', 'username', 'projectId', 'groupId', 'scopes', 'expiresAt'])
    .executeTakeFirst()
  if (!row || (username !== undefined && username !== row.username)) throw unknownToken()
  const { expiresAt, ...actor } = row
  if (expiresAt !== null && expiresAt <= now) throw expiredToken()
  return { kind: 'deployToken', ...actor }
}

/** Not cached, as above. The token is valid only while its job runs. */
const userByJobToken = preparedQuery((db, { digest }: { digest: string }) =>
  db
    .selectFrom('jobToken as token')
    .innerJoin('pipelineJob as job', 'job.id', 'token.jobId')
    .innerJoin('user', 'user.id', 'job.userId')
    .where('token.digest', '=', digest)
    .select([...actorColumns, 'job.id as jobId', 'job.projectId', 'job.status']),
)

type JobTokenRow = Awaited<ReturnType<typeof userByJobToken>>[number]

/** The user name that git sends with a job token. */
const jobTokenUsername = 'gitlab-ci-token'

const authenticateJobToken = (row: JobTokenRow, { username }: TokenIdentity): UserActor => {
  if (username !== undefined && username !== jobTokenUsername) throw unknownToken()
  if (row.status !== 'running') throw authenticationError('Job is not running', 'expired')
  const { jobId: id, projectId, admin: isOfAdministrator, ...user } = row
  return {
    ...toUserActor({ ...user, admin: false, mustAcceptTerms: false }, ['job_token']),
    job: { id, projectId, isOfAdministrator },
  }
}

/**
 * The user of a job token; undefined if no job has the token.
 *
 * @throws PlatformError `unauthenticated` if the job does not run, `forbidden` if the user is blocked
 */
export const findJobActor = async (handle: Handle, identity: TokenIdentity): Promise<UserActor | undefined> => {
  const [row] = await userByJobToken(handle, { digest: hashToken(identity.token) })
  return row && authenticateJobToken(row, identity)
}

const authenticateOauthToken = (row: OauthTokenRow, now: string): UserActor => {
  if (row.expiresAt <= now) throw expiredToken()
  const granted: readonly string[] = row.scopes ?? []
  return toUserActor(row, granted.filter(isScope))
}

/** The further lookups are only for tokens that are no tokens of users and bots. */
const authenticateOtherToken = async (handle: Handle, identity: TokenIdentity, now: string): Promise<Actor> => {
  if (typeof identity.token !== 'string') throw unknownToken()
  const [row] = await userByOauthToken(handle, { digest: hashToken(identity.token) })
  if (row) return authenticateOauthToken(row, now)
  return (await findJobActor(handle, identity)) ?? authenticateDeployToken(handle, identity, now)
}

const authenticateScim = async (handle: Handle, token: string): Promise<Actor> => {
  const [row] = typeof token === 'string' ? await groupByScimToken(handle, { digest: hashToken(token) }) : []
  if (!row) throw unknownToken()
  return { kind: 'scim', groupId: row.groupId }
}

const authenticateSshKey = async (handle: Handle, fingerprint: string, now: string): Promise<Actor> => {
  const owner = await findKeyOwner(handle, fingerprint, now)
  if ('kind' in owner) return owner
  const { userId, sshKeyId, scopes } = owner
  const [row] = await userById(handle, { id: userId })
  if (!row) throw authenticationError('The SSH key has no user', 'unknown')
  return { ...toUserActor(row, scopes), sshKeyId }
}

const actAsUser = async (handle: Handle, administrator: Actor, target: number | string): Promise<UserActor> => {
  if (administrator.kind !== 'user' || !administrator.admin) throw forbidden('Must be admin to use sudo', 'sudo')
  if (administrator.scopes && !administrator.scopes.includes('sudo')) {
    throw new PlatformError('insufficient_scope', "The token's scopes do not permit sudo", { scopes: ['sudo'] })
  }
  const [row] = await findUserRows(handle, target)
  if (!row) throw notFound(`User with ID or username '${String(target).slice(0, 255)}'`)
  const { unrecordedToken } = administrator
  return {
    ...toUserActor(row, administrator.scopes),
    substitutedBy: administrator.id,
    ...(unrecordedToken !== undefined && { unrecordedToken }),
  }
}

type UserIdentity = Extract<Identity, { readonly user: unknown } | { readonly provider: unknown }>

const describeUnknown = (identity: UserIdentity): string =>
  'user' in identity
    ? `Unknown user '${identity.user}'`
    : `No user is linked to '${identity.externalUid}' of the provider '${identity.provider}': link one with identities.link`

/**
 * Resolves an identity to an actor from the current state of the database, so that a revoked token or a blocked user is
 * rejected at the next call.
 */
export function authenticate(handle: Handle, identity: Identity, now: string): MaybePromise<Actor> {
  if (identity === null) return anonymous
  if ('system' in identity) return { kind: 'system', reason: identity.system }
  if ('token' in identity) {
    const { token, sudo } = identity
    const actor = chain<readonly TokenRow[], Actor>(findTokenRows(handle, token), ([row]) =>
      row ? authenticateToken(row, now) : authenticateOtherToken(handle, identity, now),
    )
    return sudo === undefined ? actor : chain(actor, (caller) => actAsUser(handle, caller, sudo))
  }
  if ('service' in identity) return { kind: 'service' }
  if ('sshKey' in identity) return authenticateSshKey(handle, identity.sshKey, now)
  if ('scim' in identity) return authenticateScim(handle, identity.scim)
  const rows = 'provider' in identity ? userByIdentity(handle, identity) : findUserRows(handle, identity.user)
  return chain(rows, ([row]) => {
    if (!row) throw authenticationError(describeUnknown(identity), 'unknown')
    return toUserActor(row, null)
  })
}
