/** A user as the SCIM API of a group returns it. */
export interface ScimUser {
  /** The external UID: the provider's id of the user. */
  externUid: string
  /** Whether the user is linked; false only in the response to a creation or replacement with `active: false`. */
  active: boolean
  /** The platform's username, which can differ from the provider's `userName`. */
  username: string
  /** Name for display. */
  name: string
  /** Primary e-mail address of the account. */
  email: string
  /** The full path of the group. */
  groupPath: string
}

/** A page of the users of a group (RFC 7644 section 3.4.2.4). */
export interface ScimList {
  /** Number of matches on all pages. */
  totalResults: number
  /** Number of users on this page. */
  itemsPerPage: number
  /** Position of the first returned user, from 1. */
  startIndex: number
  /** The users of this page. */
  users: readonly ScimUser[]
}

/** Limits of the SCIM API of a group. */
export interface ScimSettings {
  /** Full path of the group. */
  groupPath: string
  /** Maximum number of users in one list response. */
  maximumResults: number
  /** Maximum number of operations in one PATCH. */
  maximumOperations: number
}

/** The schema of a user (RFC 7643 section 4.1). */
export const scimUserSchema = 'urn:ietf:params:scim:schemas:core:2.0:User'
