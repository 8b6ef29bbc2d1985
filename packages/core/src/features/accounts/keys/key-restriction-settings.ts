import type { Context } from '../../../kernel/context.ts'
import { getSettings } from '../../administration/settings/queries.ts'
import type { KeyRestrictions } from './key-restriction.ts'

/** Reads the key restrictions from the settings of the instance. */
export async function loadKeyRestrictions(ctx: Context): Promise<KeyRestrictions> {
  const { rsaKeyRestriction, dsaKeyRestriction, ecdsaKeyRestriction, ed25519KeyRestriction } = await getSettings(ctx)
  return {
    rsa: rsaKeyRestriction,
    dsa: dsaKeyRestriction,
    ecdsa: ecdsaKeyRestriction,
    ed25519: ed25519KeyRestriction,
  }
}
