export interface RepositoryTables {
  /** The repository of a project that has one. */
  projectRepository: {
    projectId: number
    /** Where it lies: a name below the folder of repositories, or an absolute path of the host's own. */
    place: string
    createdAt: string
  }
}
