import type { ArchiveFormat } from '../../../ports/git.ts'

/** Archive formats by the suffix in a request: specification 2, "Repository". */
export const archiveSuffixes: Readonly<Record<string, ArchiveFormat>> = {
  'tar.gz': 'tar.gz',
  'tar.bz2': 'tar.bz2',
  tbz: 'tar.bz2',
  tbz2: 'tar.bz2',
  tb2: 'tar.bz2',
  bz2: 'tar.bz2',
  tar: 'tar',
  zip: 'zip',
}

/**
 * Base name of an archive and of its root directory: path of the project without namespace, requested revision, and
 * full commit id, and the path if the archive contains a part only.
 */
export const archiveName = (projectPath: string, revision: string, commit: string, path?: string): string =>
  [projectPath, revision, commit, ...(path === undefined ? [] : [path])]
    .map((part) => part.replaceAll('/', '-'))
    .join('-')
