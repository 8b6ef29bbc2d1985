import type { GpgSignature, ObjectVerification, SshKeySignature, X509Signature } from '@forgelet/core/operations'
import * as v from 'valibot'
import { NullableInteger, NullableText } from '../reply/field-types.ts'
import type { Reply } from '../reply/reply.ts'
import type { Responder } from '../reply/responders.ts'
import { computed, nullable, type Site, variants, wire } from '../reply/wire.ts'
import { PublicKeyWire } from './key.ts'

const status = v.picklist([
  'verified',
  'unverified',
  'unverified_key',
  'unknown_key',
  'same_user_different_email',
  'other_user',
  'multiple_signatures',
])

const source = computed(v.literal('gitaly'), () => 'gitaly' as const)

const GpgSignatureWire = wire<GpgSignature>('GpgSignature')({
  signature_type: v.literal('PGP'),
  verification_status: status,
  gpg_key_id: NullableInteger,
  gpg_key_primary_keyid: NullableText,
  gpg_key_user_name: NullableText,
  gpg_key_user_email: NullableText,
  gpg_key_subkey_id: NullableInteger,
  /** Where the commit was read: always `gitaly`, the only value that clients know. */
  commit_source: source,
})

const SshSignatureWire = wire<SshKeySignature>('SshSignature')({
  signature_type: v.literal('SSH'),
  verification_status: status,
  key: nullable(PublicKeyWire),
  /** Where the commit was read: always `gitaly`, the only value that clients know. */
  commit_source: source,
})

const X509SignatureWire = wire<X509Signature>('X509Signature')({
  signature_type: v.literal('X509'),
  verification_status: v.literal('unverified'),
  /** Where the commit was read: always `gitaly`, the only value that clients know. */
  commit_source: source,
})

const shape = variants(
  [GpgSignatureWire, SshSignatureWire, X509SignatureWire],
  (signature: ObjectVerification, site: Site) => {
    if (signature.signatureType === 'PGP') return GpgSignatureWire(signature, site)
    return signature.signatureType === 'SSH' ? SshSignatureWire(signature, site) : X509SignatureWire(signature, site)
  },
)

/** The signature of a commit or tag, by its type. */
export const verifiedSignature: Responder<ObjectVerification> = Object.assign(
  (signature: ObjectVerification, site: Site): Reply => ({ status: 200, body: shape.map(signature, site) }),
  { status: 200, shape },
)
