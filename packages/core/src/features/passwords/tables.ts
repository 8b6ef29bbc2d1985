export interface PasswordTables {
  /** The password with which a user signs in to the pages. */
  userPassword: {
    userId: number
    /** `PasswordHash` as text; the password itself is not stored. */
    hash: string
    /** Sessions that began with an earlier password have ended. */
    changedAt: string
  }
}
