import type { Git } from './git.ts'
import { gitBinary } from './git-binary.ts'
import type { Ports } from './ports.ts'
import { repositoriesIn, temporaryRepositories } from './repositories.ts'

/** The two ports that hold resources, which end with the platform that made them. */
export type RepositoryPorts = Pick<Ports, 'git' | 'repositories'>

/** What platforms without a place for data use together: a process each would be too many in a large test suite. */
let common: Git | undefined

interface Place {
  /** The folder that the host named. */
  readonly folder: string | undefined
  /** The data file, where there is one: repositories then lie beside it. */
  readonly file: string | undefined
}

/** Git and the folder of repositories, and how to let go of those that the host did not bring. */
export const openRepositoryPorts = (
  given: Partial<Ports>,
  { folder, file }: Place,
): { readonly ports: RepositoryPorts; close(): Promise<void> } => {
  const path = folder ?? (file === undefined ? undefined : `${file}.repositories`)
  const repositories = given.repositories ?? (path === undefined ? temporaryRepositories() : repositoriesIn(path))
  const isCommon = given.git === undefined && path === undefined
  if (isCommon) common ??= gitBinary()
  const git = given.git ?? (isCommon ? (common as Git) : gitBinary())
  return {
    ports: { git, repositories },
    async close() {
      if (given.git === undefined && !isCommon) await git.close()
      if (given.repositories === undefined) repositories.close()
    },
  }
}
