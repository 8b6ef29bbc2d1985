import type { Generated } from 'kysely'

export interface GpgKeyTables {
  /** A public OpenPGP key of a user. Each key is stored once. */
  gpgKey: {
    id: Generated<number>
    userId: number
    /** Armored text. */
    key: string
    /** Of the primary key, in lowercase hexadecimal. */
    fingerprint: string
    /** Id of the primary key in signatures: 16 lowercase hexadecimal digits. */
    keyId: string
    createdAt: string
  }
  gpgSubkey: {
    id: Generated<number>
    gpgKeyId: number
    keyId: string
  }
  /** A signature that was verified. It stays verified after the removal of its key. */
  verifiedSignature: {
    projectId: number
    /** Id of the commit or tag. */
    objectId: string
    /** Null after the removal of the key. */
    gpgKeyId: number | null
    /** Null for the primary key. */
    gpgSubkeyId: number | null
    primaryKeyId: string | null
    userName: string | null
    userEmail: string | null
  }
}
