/** The identity provider of a group. */
export interface SsoProvider {
  /** Unique on the instance. */
  id: number
  /** Id of the group. */
  groupId: number
  /** Name of the provider in the identities of members: `group_saml`. */
  name: string
  /** Whether the SCIM tokens of the group are accepted. */
  enabled: boolean
  /** When single sign-on was first enabled: ISO 8601, UTC, with milliseconds. */
  createdAt: string
}

/** A SCIM token of a group's identity provider, without its secret. */
export interface ScimToken {
  /** Unique on the instance. */
  id: number
  /** Id of the group whose users the token can access. */
  groupId: number
  /** When the token was created: ISO 8601, UTC, with milliseconds. */
  createdAt: string
}

/** A new SCIM token. */
export interface CreatedScimToken extends ScimToken {
  /** The token itself, for the header `Authorization: Bearer`. It cannot be read again. */
  secret: string
}

/** A user's identity at the provider of a group. */
export interface ScimIdentity {
  /** Id of the group. */
  groupId: number
  /** Id of the user. */
  userId: number
  /** The provider's id of the user; unique in the group, ignoring case. */
  externUid: string
  /** Whether the user is linked. An identity stays when the provider removes the user. */
  active: boolean
  /** Whether the account was created for this group, so that the group's provider manages its profile. */
  provisioned: boolean
  /** When the user was first linked: ISO 8601, UTC, with milliseconds. */
  createdAt: string
}

/** A member's identity, visible to administrators of the group (specification 1, "Member"). */
export interface SamlIdentity {
  /** The provider's id of the user. */
  externUid: string
  /** Name of the provider: `group_saml`. */
  provider: string
  /** Id of the group's provider. */
  samlProviderId: number
}
