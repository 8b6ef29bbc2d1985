import type { Generated } from 'kysely'

export interface SsoTables {
  /** Where the people of a group sign in; at most one a group. */
  ssoProvider: {
    id: Generated<number>
    groupId: number
    name: string
    enabled: boolean
    createdAt: string
  }
  /** What an identity provider shows to manage the people of one group. */
  scimToken: {
    id: Generated<number>
    groupId: number
    /** SHA-256 of the token, hexadecimal; the token itself is kept nowhere. */
    digest: string
    createdAt: string
  }
  /** Under which name the identity provider of a group knows a user. */
  scimIdentity: {
    id: Generated<number>
    groupId: number
    userId: number
    /** Unique among the linked ones of a group, without regard to case. */
    externUid: string
    /** The account was made for this group, whose provider keeps its profile from then on. */
    provisioned: boolean
    /** Since when the user is no longer linked; the row then only remembers who it was. Null while linked. */
    unlinkedAt: string | null
    createdAt: string
  }
}
