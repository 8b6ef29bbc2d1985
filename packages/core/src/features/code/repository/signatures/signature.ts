import type { Key } from '../../../accounts/keys/key.ts'

/**
 * - `verified`: made with a key of the user who has the address of the committer.
 * - `same_user_different_email`: the address is one of the owner's, but not one of the key.
 * - `other_user`: the address is not one of the owner's.
 * - `unverified_key`: no address of the key is one of the owner's.
 * - `unknown_key`: no user has added the key.
 * - `multiple_signatures`: more than one.
 * - `unverified`: anything else, such as a changed commit.
 */
export type VerificationStatus =
  | 'verified'
  | 'unverified'
  | 'unverified_key'
  | 'unknown_key'
  | 'same_user_different_email'
  | 'other_user'
  | 'multiple_signatures'

/** A signature of OpenPGP. */
export interface GpgSignature {
  /** Always `PGP`. */
  signatureType: 'PGP'
  /** The result of the verification. */
  verificationStatus: VerificationStatus
  /** Id of the key on the instance; null for an unknown or removed key. */
  gpgKeyId: number | null
  /** The last 16 hexadecimal digits of the fingerprint of the primary key; for an unknown key, of the key that signed. */
  gpgKeyPrimaryKeyid: string | null
  /** Name in the key; null if unknown. */
  gpgKeyUserName: string | null
  /** E-mail address in the key; null if unknown. */
  gpgKeyUserEmail: string | null
  /** Id of the subkey on the instance that signed; null for the primary key. */
  gpgKeySubkeyId: number | null
}

/** A signature of SSH. */
export interface SshKeySignature {
  /** Always `SSH`. */
  signatureType: 'SSH'
  /** The result of the verification. */
  verificationStatus: VerificationStatus
  /** The key of a user that signed; null for an unknown one. */
  key: Key | null
}

/** A signature with an X.509 certificate. */
export interface X509Signature {
  /** Always `X509`. */
  signatureType: 'X509'
  /** Always `unverified`: certificates are not verified. */
  verificationStatus: 'unverified'
}

/** The signature of a commit or an annotated tag. */
export type ObjectVerification = GpgSignature | SshKeySignature | X509Signature
