import * as v from 'valibot'
import type { Planting } from './planting.ts'

const Token = v.strictObject({
  /** Known beforehand, so that an identity provider can be configured with it. */
  secret: v.string(),
})

const Identity = v.strictObject({
  user: v.string(),
  externUid: v.string(),
  /** The group's provider keeps the profile of the user. */
  provisioned: v.optional(v.boolean(), false),
})

/** Single sign-on of a group: where its people come from, and who manages them over SCIM. */
export const SingleSignOn = v.strictObject({
  provider: v.optional(v.string()),
  enabled: v.optional(v.boolean(), true),
  scimTokens: v.optional(v.array(Token), []),
  identities: v.optional(v.array(Identity), []),
})

/** Sets up single sign-on of a group. Members are planted apart from it. */
export async function plantSingleSignOn(
  planting: Planting,
  group: number,
  { provider, enabled, scimTokens, identities }: v.InferOutput<typeof SingleSignOn>,
): Promise<void> {
  const { sso } = planting.at()
  await sso.enable({ group, ...(provider !== undefined && { provider }) })
  for (const { secret } of scimTokens) await sso.createToken({ group, secret })
  for (const { user, externUid: externalUid, provisioned } of identities) {
    await sso.linkIdentity({ group, user, externalUid, provisioned })
  }
  if (!enabled) await sso.disable({ group })
}
