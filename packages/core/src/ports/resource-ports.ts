import { filesFolderOf, repositoriesFolderOf } from '../shared/data-paths.ts'
import { defined } from '../shared/defined.ts'
import { folderFileStorage } from './file-storage/folder.ts'
import { memoryFileStorage } from './file-storage/memory.ts'
import type { Git } from './git.ts'
import { gitBinary } from './git-binary.ts'
import { embeddedMarkdown } from './markdown.ts'
import type { Ports } from './ports.ts'
import { folderRepositoryStorage, temporaryRepositoryStorage } from './repository-storage.ts'

/** The ports that hold resources and must be closed. */
export type ResourcePorts = Pick<Ports, 'files' | 'git' | 'markdown' | 'repositories'>

/** Shared by all platforms without a folder, because a helper process for each would be too many in a large test suite. */
let sharedGit: Git | undefined

interface DataLocation {
  /** The folders that the host configured. */
  readonly repositories: string | undefined
  readonly files: string | undefined
  /** The SQLite file, if any; the default folders are beside it. */
  readonly databaseFile: string | undefined
}

/** Creates the ports that the host does not provide. `close` closes only those. */
export const openResourcePorts = (
  overrides: Partial<Ports>,
  { repositories: repositoryFolder, files: fileFolder, databaseFile }: DataLocation,
): { readonly ports: ResourcePorts; close(): Promise<void> } => {
  const path = repositoryFolder ?? (databaseFile && repositoriesFolderOf(databaseFile))
  const repositories =
    overrides.repositories ?? (path === undefined ? temporaryRepositoryStorage() : folderRepositoryStorage(path))
  const isShared = overrides.git === undefined && path === undefined
  if (isShared) sharedGit ??= gitBinary()
  const git = overrides.git ?? (isShared ? defined(sharedGit) : gitBinary())
  const filePath = fileFolder ?? (databaseFile && filesFolderOf(databaseFile))
  const files = overrides.files ?? (filePath === undefined ? memoryFileStorage() : folderFileStorage(filePath))
  const markdown = overrides.markdown ?? embeddedMarkdown()
  return {
    ports: { files, git, markdown, repositories },
    async close() {
      if (overrides.git === undefined && !isShared) await git.close()
      if (overrides.markdown === undefined) await markdown.close?.()
      if (overrides.repositories === undefined) repositories.close()
      if (overrides.files === undefined) files.close()
    },
  }
}
