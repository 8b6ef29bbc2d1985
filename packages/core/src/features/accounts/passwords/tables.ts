export interface PasswordTables {
  /** A session of the pages, which ends when its row is removed. */
  pageSession: {
    /** SHA-256 of the secret in the cookie. */
    digest: string
    expiresAt: string
  }
  /** The password with which a user signs in to the pages. */
  userPassword: {
    userId: number
    /** `PasswordHash` as text; the password itself is not stored. */
    hash: string
    /** Sessions that began with an earlier password have ended. */
    changedAt: string
  }
}
