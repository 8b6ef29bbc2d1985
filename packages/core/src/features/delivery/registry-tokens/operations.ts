import * as v from 'valibot'
import { instance } from '../../../access/subjects.ts'
import type { Actor } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { afterTransaction, type Deferred, type TransactionRunner } from '../../../kernel/deferred.ts'
import { query } from '../../../kernel/operation.ts'
import { getSettings } from '../../administration/settings/queries.ts'
import { grantAccess } from './grant.ts'
import { createAuthority, getSigningKey, type RegistryAuthority, readAuthority, storeAuthority } from './issuer.ts'
import { parseScope, type RegistryAccess } from './scope.ts'
import { signToken } from './sign-token.ts'

/** A token for requests to the container registry. */
export interface RegistryToken {
  /** The signed JSON Web Token. */
  token: string
  /** Seconds until the token expires: the setting `containerRegistryTokenExpireDelay`. */
  expiresIn: number
  /** When the token was created: ISO 8601, UTC. */
  issuedAt: string
  /** What the token permits: the part of the requested access that the current user has. */
  access: readonly RegistryAccess[]
}

/** What a container registry trusts. */
export interface RegistryCertificate {
  /** PEM of the certificate of the authority. */
  certificate: string
}

/** A client requests one scope, or two to copy layers. */
const maxScopes = 20

const toSubject = (actor: Actor) => ('username' in actor ? actor.username : '')

const getAuthority = async (ctx: Context, stored: RegistryAuthority | undefined, { write }: TransactionRunner) => {
  if (stored) return stored
  const created = await createAuthority(ctx)
  return write((later) => storeAuthority(later, created))
}

export const registryTokens = {
  /**
   * Creates a token with which a client pulls, pushes and deletes images of the container registry. Scopes that the current user does not have are
   * omitted, as are malformed ones. Images of public projects can be pulled by everyone.
   *
   * @throws PlatformError `unavailable` if the platform has no key to encrypt with, `unprocessable` without the package `jose`
   */
  create: query({
    on: instance,
    can: 'registry.authorize',
    scopes: ['read_registry', 'write_registry', 'job_token'],
    input: {
      /** Name of the registry, which accepts tokens with its own name only. */
      service: v.optional(v.pipe(v.string(), v.maxLength(255)), 'container_registry'),
      /** Requested access, such as `repository:acme/web:pull,push`. Administrators can request `registry:catalog:*`. Default: none. */
      scopes: v.optional(v.pipe(v.array(v.pipe(v.string(), v.maxLength(1_000))), v.maxLength(maxScopes)), []),
    },
    async run(ctx, { service, scopes }): Promise<Deferred<RegistryToken>> {
      const stored = await readAuthority(ctx)
      const { containerRegistryTokenExpireDelay } = await getSettings(ctx)
      const access = await grantAccess(
        ctx,
        scopes.flatMap((scope) => parseScope(scope) ?? []),
      )
      return afterTransaction(async (runner) => {
        const key = await getSigningKey(ctx, await getAuthority(ctx, stored, runner))
        const lifetime = containerRegistryTokenExpireDelay * 60
        const token = await signToken(key, {
          service,
          subject: toSubject(ctx.actor),
          access,
          id: Buffer.from(ctx.ports.random.bytes(16)).toString('base64url'),
          issuedAt: Math.floor(Date.parse(ctx.now) / 1_000),
          lifetime,
        })
        return { token, expiresIn: lifetime, issuedAt: ctx.now, access }
      })
    },
  }),

  /** Gets the certificate that a container registry is configured with to trust the tokens (`rootcertbundle`): PEM. It is valid for ten years. */
  getCertificate: query({
    on: instance,
    can: 'registry.readCertificate',
    async run(ctx): Promise<Deferred<RegistryCertificate>> {
      const stored = await readAuthority(ctx)
      return afterTransaction(async (runner) => {
        const { certificate } = await getAuthority(ctx, stored, runner)
        return { certificate }
      })
    },
  }),
}
