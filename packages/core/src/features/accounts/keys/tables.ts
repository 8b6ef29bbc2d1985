import type { Generated } from 'kysely'
import type { KeyUsage } from './key.ts'

export interface KeyTables {
  /** A public SSH key of a user, or a deploy key. Each key is stored once. */
  sshKey: {
    id: Generated<number>
    /** The owner; null for a deploy key. */
    userId: number | null
    /** The user who added the deploy key; null if the host added it or the user is removed, and for keys of users. */
    creatorId: number | null
    deploy: boolean
    /** A deploy key of the instance, which maintainers of all projects can enable. */
    public: boolean
    usageType: KeyUsage
    title: string
    key: string
    /** Base64 without padding. */
    sha256: string
    /** Hexadecimal pairs with colons. */
    md5: string
    createdAt: string
    expiresAt: string | null
    /** The last sign-in with the key over SSH. */
    lastUsedAt: string | null
  }
  /** The access of a deploy key to a project. */
  deployKeyProject: {
    id: Generated<number>
    deployKeyId: number
    projectId: number
    canPush: boolean
    createdAt: string
    updatedAt: string
  }
}
