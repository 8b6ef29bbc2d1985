import { lower } from '../../db/functions.ts'
import { type Actor, type Identity, nobody, type Person } from '../../kernel/actor.ts'
import { forbidden, notFound, PlatformError } from '../../kernel/errors.ts'
import { remembered } from '../../kernel/prepared.ts'
import type { Scope } from '../../kernel/scopes.ts'
import { after, type Handle, type Soon } from '../../kernel/store.ts'
import { tokenDigest } from './token.ts'

const columns = ['user.id', 'user.username', 'user.name', 'user.state', 'user.admin', 'user.external'] as const

const byId = remembered((db, { id }: { id: number }) => db.selectFrom('user').where('id', '=', id).select(columns))

const byUsername = remembered((db, { username }: { username: string }) =>
  db.selectFrom('user').where(lower('username'), '=', username).select(columns),
)

const byIdentity = remembered((db, { provider, externalUid }: { provider: string; externalUid: string }) =>
  db
    .selectFrom('userIdentity as identity')
    .innerJoin('user', 'user.id', 'identity.userId')
    .where('identity.provider', '=', provider)
    .where('identity.externalUid', '=', externalUid)
    .select(columns),
)

const byToken = remembered((db, { digest }: { digest: string }) =>
  db
    .selectFrom('personalAccessToken as token')
    .innerJoin('user', 'user.id', 'token.userId')
    .where('token.digest', '=', digest)
    .select([...columns, 'token.scopes', 'token.expiresAt', 'token.revokedAt']),
)

const byScimToken = remembered((db, { digest }: { digest: string }) =>
  db.selectFrom('scimToken').where('digest', '=', digest).select('groupId'),
)

type UserRow = Awaited<ReturnType<typeof byId>>[number]
type TokenRow = Awaited<ReturnType<typeof byToken>>[number]

/** A credential that is unknown, expired or revoked never falls back to nobody. */
const refused = (message: string, reason: string) => new PlatformError('unauthenticated', message, { reason })

const person = (row: UserRow, scopes: readonly Scope[] | null): Person => {
  if (row.state === 'blocked') throw forbidden('Your account has been blocked.', 'blocked')
  const { id, username, name, admin, external } = row
  return { kind: 'user', id, username, name, admin, external, scopes }
}

/** Programs in JavaScript hand over what they have forgotten to set, too: nobody is known by it, here and below. */
const userRows = (handle: Handle, user: number | string): Soon<readonly UserRow[]> => {
  if (typeof user === 'number') return byId(handle, { id: user })
  return typeof user === 'string' ? byUsername(handle, { username: user.toLowerCase() }) : []
}

const tokenRows = (handle: Handle, token: string): Soon<readonly TokenRow[]> =>
  typeof token === 'string' ? byToken(handle, { digest: tokenDigest(token) }) : []

const holder = (row: TokenRow | undefined, now: string): Person => {
  if (!row) throw refused('The token is not known', 'unknown')
  if (row.revokedAt !== null) throw refused('Token was revoked. You have to re-authorize from the user.', 'revoked')
  if (row.expiresAt !== null && row.expiresAt <= now.slice(0, 10)) {
    throw refused('Token is expired. You can either do re-authorization or token refresh.', 'expired')
  }
  return person(row, row.scopes)
}

const provisioner = async (handle: Handle, token: string): Promise<Actor> => {
  const [row] = typeof token === 'string' ? await byScimToken(handle, { digest: tokenDigest(token) }) : []
  if (!row) throw refused('The token is not known', 'unknown')
  return { kind: 'scim', groupId: row.groupId }
}

const substitute = async (handle: Handle, holder: Person, target: number | string): Promise<Person> => {
  if (!holder.admin) throw forbidden('Must be admin to use sudo', 'sudo')
  if (holder.scopes && !holder.scopes.includes('sudo')) {
    throw new PlatformError('insufficient_scope', 'The token does not open sudo', { scopes: ['sudo'] })
  }
  const [row] = await userRows(handle, target)
  if (!row) throw notFound(`User with ID or username '${String(target).slice(0, 255)}'`)
  return { ...person(row, holder.scopes), substitutedBy: holder.id }
}

/** Turns a claim into an established actor, as the database stands now: a revoked or blocked one is out at the next call. */
export function standing(handle: Handle, who: Identity, now: string): Soon<Actor> {
  if (who === null) return nobody
  if ('system' in who) return { kind: 'system', reason: who.system }
  if ('token' in who) {
    const { token, sudo } = who
    return after<readonly TokenRow[], Actor>(tokenRows(handle, token), ([row]) => {
      const person = holder(row, now)
      return sudo === undefined ? person : substitute(handle, person, sudo)
    })
  }
  if ('scim' in who) return provisioner(handle, who.scim)
  const rows = 'provider' in who ? byIdentity(handle, who) : userRows(handle, who.user)
  return after(rows, ([row]) => {
    if (!row) throw refused('The user is not known', 'unknown')
    return person(row, null)
  })
}
