/** Where the people of a group sign in. */
export interface SsoProvider {
  id: number
  groupId: number
  name: string
  enabled: boolean
  createdAt: string
}

/** A token with which an identity provider manages the people of one group, without its secret. */
export interface ScimToken {
  id: number
  groupId: number
  createdAt: string
}

/** Under which name the identity provider of a group knows a user. */
export interface ScimIdentity {
  groupId: number
  userId: number
  externUid: string
  /** The account was made for this group, whose provider keeps its profile from then on. */
  provisioned: boolean
  createdAt: string
}

/** A member's identity, as those who administer the group see it (specification 1, "Member"). */
export interface SamlIdentity {
  externUid: string
  provider: string
  samlProviderId: number
}
