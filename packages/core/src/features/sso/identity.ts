/** The identity provider of a group. */
export interface SsoProvider {
  id: number
  groupId: number
  name: string
  enabled: boolean
  createdAt: string
}

/** A SCIM token of a group's identity provider, without its secret. */
export interface ScimToken {
  id: number
  groupId: number
  createdAt: string
}

/** A user's identity at the provider of a group. */
export interface ScimIdentity {
  groupId: number
  userId: number
  externUid: string
  /** The account was created for this group, so the group's provider manages its profile. */
  provisioned: boolean
  createdAt: string
}

/** A member's identity, visible to administrators of the group (specification 1, "Member"). */
export interface SamlIdentity {
  externUid: string
  provider: string
  samlProviderId: number
}
