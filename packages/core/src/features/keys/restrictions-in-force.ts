import type { Context } from '../../kernel/context.ts'
import { settingsInForce } from '../settings/queries.ts'
import type { KeyRestrictions } from './key-restriction.ts'

/** Which keys the platform takes at present. */
export async function restrictionsInForce(ctx: Context): Promise<KeyRestrictions> {
  const { rsaKeyRestriction, dsaKeyRestriction, ecdsaKeyRestriction, ed25519KeyRestriction } =
    await settingsInForce(ctx)
  return {
    rsa: rsaKeyRestriction,
    dsa: dsaKeyRestriction,
    ecdsa: ecdsaKeyRestriction,
    ed25519: ed25519KeyRestriction,
  }
}
