export interface ErrorTrackingTables {
  /** Where the errors of a project are collected; at most one a project. */
  errorTrackingSetting: {
    projectId: number
    active: boolean
    projectName: string
    trackerExternalUrl: string
    apiUrl: string
    updatedAt: string
  }
}
