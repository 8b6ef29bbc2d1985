import type { Generated } from 'kysely'

export interface SsoTables {
  /** The identity provider of a group, at most one per group. */
  ssoProvider: {
    id: Generated<number>
    groupId: number
    name: string
    enabled: boolean
    createdAt: string
  }
  /** A token that authenticates the identity provider of a group in the SCIM API. */
  scimToken: {
    id: Generated<number>
    groupId: number
    /** SHA-256 of the token, hexadecimal. The token itself is not stored. */
    digest: string
    createdAt: string
  }
  /** A user's identity at the provider of a group. */
  scimIdentity: {
    id: Generated<number>
    groupId: number
    userId: number
    /** Unique among the linked identities of a group, case-insensitive. */
    externUid: string
    /** The account was created for this group, so the group's provider manages its profile. */
    provisioned: boolean
    /** As the provider sent it; null if unknown. The user has only a display name. */
    givenName: string | null
    familyName: string | null
    /** When the user was unlinked; null while linked. */
    unlinkedAt: string | null
    createdAt: string
  }
}
