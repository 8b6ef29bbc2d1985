import type { ArchiveFormat } from '../../ports/git.ts'

/** What an archive can be asked as, and the form that each word means: specification 2, "Repository". */
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
 * What an archive is called, and the directory that all its files are in: the project's own path, the revision as it was
 * asked for, and the whole id of the commit.
 */
export const archiveName = (projectPath: string, revision: string, commit: string): string =>
  `${projectPath}-${revision.replaceAll('/', '-')}-${commit}`
