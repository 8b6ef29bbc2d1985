export interface RepositoryTables {
  /** Repositories by project. */
  projectRepository: {
    projectId: number
    /** Storage key: a path below the repository folder, or an absolute path that the host owns. */
    place: string
    createdAt: string
  }
}
