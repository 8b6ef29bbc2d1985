import * as v from 'valibot'
import type { Seeder } from './seeder.ts'

const Token = v.strictObject({
  /** A fixed secret, for the configuration of the identity provider. */
  secret: v.string(),
})

const Identity = v.strictObject({
  /** A username. */
  user: v.string(),
  /** Identifier of the user at the identity provider. */
  externUid: v.string(),
  /** Whether the identity provider manages the profile of the user. */
  provisioned: v.optional(v.boolean(), false),
})

/** Single sign-on of a group with its identities and SCIM tokens. */
export const SingleSignOn = v.strictObject({
  /** Name of the identity provider. Default: the path of the group. */
  provider: v.optional(v.string()),
  /** False disables single sign-on after its identities are linked. */
  enabled: v.optional(v.boolean(), true),
  /** Tokens for the SCIM API of the group. */
  scimTokens: v.optional(v.array(Token), []),
  /** Accounts of users at the identity provider. */
  identities: v.optional(v.array(Identity), []),
})

/** Does not add members to the group. */
export async function seedSingleSignOn(
  seeder: Seeder,
  group: number,
  { provider, enabled, scimTokens, identities }: v.InferOutput<typeof SingleSignOn>,
): Promise<void> {
  const { sso } = seeder.asHost()
  await sso.enable({ group, ...(provider !== undefined && { provider }) })
  for (const { secret } of scimTokens) await sso.createToken({ group, secret })
  for (const { user, externUid: externalUid, provisioned } of identities) {
    await sso.linkIdentity({ group, user, externalUid, provisioned })
  }
  if (!enabled) await sso.disable({ group })
}
