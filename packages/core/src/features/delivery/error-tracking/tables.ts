export interface ErrorTrackingTables {
  /** The external error tracker of a project; at most one per project. */
  errorTrackingSetting: {
    projectId: number
    active: boolean
    projectName: string
    trackerExternalUrl: string
    apiUrl: string
    updatedAt: string
  }
}
