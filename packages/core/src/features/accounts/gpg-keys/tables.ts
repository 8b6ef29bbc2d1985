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
    createdAt: string
  }
}
