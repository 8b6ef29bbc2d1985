import type { Context } from '../../kernel/context.ts'
import { defaultSettings } from '../settings/definition.ts'
import type { KeyRestrictions } from './key-restriction.ts'

/** Which keys the platform takes at present. Settings are not stored yet, so these are the defaults. */
export async function restrictionsInForce(_ctx: Context): Promise<KeyRestrictions> {
  const { rsaKeyRestriction, dsaKeyRestriction, ecdsaKeyRestriction, ed25519KeyRestriction } = defaultSettings()
  return {
    rsa: rsaKeyRestriction,
    dsa: dsaKeyRestriction,
    ecdsa: ecdsaKeyRestriction,
    ed25519: ed25519KeyRestriction,
  }
}
