import type { Generated } from 'kysely'

export interface KeyTables {
  /** A public SSH key: of a user, or a deploy key that opens projects. No key is stored twice. */
  sshKey: {
    id: Generated<number>
    /** Whose it is; null for a deploy key. */
    userId: number | null
    /** Who added the deploy key; null when they are gone, and for keys of users. */
    creatorId: number | null
    deploy: boolean
    title: string
    key: string
    /** Base64 without padding. */
    sha256: string
    /** Hexadecimal pairs with colons. */
    md5: string
    createdAt: string
    expiresAt: string | null
  }
  /** Which projects a deploy key opens. */
  deployKeyProject: {
    id: Generated<number>
    deployKeyId: number
    projectId: number
    canPush: boolean
    createdAt: string
    updatedAt: string
  }
}
