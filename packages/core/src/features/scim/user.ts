/** A user as the identity provider of a group knows them. */
export interface ScimUser {
  /** The external UID: what the provider calls them. */
  externUid: string
  /** Linked; false only in the answer to the creation of somebody who is not to be active. */
  active: boolean
  username: string
  /** The display name. */
  name: string
  email: string
  /** The full path of the group. */
  groupPath: string
}

/** Some of the users of a group, as RFC 7644 section 3.4.2.4 pages. */
export interface ScimList {
  /** All matches, not only those of this page. */
  totalResults: number
  /** How many users a page has at most: the value that was used. */
  itemsPerPage: number
  /** 1-based: the value that was used. */
  startIndex: number
  users: readonly ScimUser[]
}

/** What an identity provider can rely on. */
export interface ScimSettings {
  groupPath: string
  /** The most users of one list. */
  maximumResults: number
  /** The most operations of one PATCH. */
  maximumOperations: number
}

/** The schema of a user (RFC 7643 section 4.1). */
export const scimUserSchema = 'urn:ietf:params:scim:schemas:core:2.0:User'
