/** The last day on which a user signed in or used a token, or that the host has reported. */
export interface UserActivity {
  /** Name of the user in URLs and mentions. */
  username: string
  /** Day of the last activity: `2026-11-21`. */
  lastActivityOn: string
}

/** Numbers of objects that belong to a user. */
export interface UserAssociations {
  /** Groups of which the user is a direct member. */
  groupsCount: number
  /** Projects of which the user is a direct member, without those of groups. */
  projectsCount: number
  /** Issues that the user created. */
  issuesCount: number
  /** Merge requests that the user created. */
  mergeRequestsCount: number
}
