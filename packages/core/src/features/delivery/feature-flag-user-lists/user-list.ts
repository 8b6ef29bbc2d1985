/** A list of users for the strategies of feature flags. */
export interface FeatureFlagUserList {
  /** Unique among user lists. */
  id: number
  /** Number of the list in its project. */
  iid: number
  /** Id of the project. */
  projectId: number
  /** Unique in the project. */
  name: string
  /** Ids of users of the application, separated by commas. */
  userXids: string
  /** When the list was created: ISO 8601, UTC, with milliseconds. */
  createdAt: string
  /** When the list was last changed: ISO 8601, UTC, with milliseconds. */
  updatedAt: string
}
