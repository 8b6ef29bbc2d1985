export interface RepositoryTables {
  /** Repositories by project. */
  projectRepository: {
    projectId: number
    /** Storage key: a path below the repository folder, or an absolute path that the host owns. */
    place: string
    createdAt: string
  }
  /** The projects whose repository a process is changing. */
  repositoryLock: {
    projectId: number
    /** Random, for each lock. */
    owner: string
    /** Increases while the owner is alive. */
    beat: number
  }
}
