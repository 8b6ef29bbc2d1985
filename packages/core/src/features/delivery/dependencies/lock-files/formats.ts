import type { PackageManager } from '../dependency.ts'
import { readComposer, readNpm, readPipenv } from './json-formats.ts'
import { type Collector, createCollector, type LockedPackage, LockFileError } from './locked-package.ts'
import { readMaven } from './maven.ts'
import { readBundler, readRequirements } from './text-formats.ts'
import { readPnpm, readYarn } from './yaml-formats.ts'

interface Format {
  readonly packageManager: PackageManager
  readonly read: (text: string, to: Collector) => void
}

/** The lock files that are read, by their names. */
const formats: ReadonlyMap<string, Format> = new Map<string, Format>([
  ['Gemfile.lock', { packageManager: 'bundler', read: readBundler }],
  ['gems.locked', { packageManager: 'bundler', read: readBundler }],
  ['composer.lock', { packageManager: 'composer', read: readComposer }],
  ['pom.xml', { packageManager: 'maven', read: readMaven }],
  ['package-lock.json', { packageManager: 'npm', read: readNpm }],
  ['npm-shrinkwrap.json', { packageManager: 'npm', read: readNpm }],
  ['requirements.txt', { packageManager: 'pip', read: readRequirements }],
  ['requirements.pip', { packageManager: 'pip', read: readRequirements }],
  ['requires.txt', { packageManager: 'pip', read: readRequirements }],
  ['Pipfile.lock', { packageManager: 'pip', read: readPipenv }],
  ['pnpm-lock.yaml', { packageManager: 'pnpm', read: readPnpm }],
  ['yarn.lock', { packageManager: 'yarn', read: readYarn }],
])

/** Folders with the files of other projects. */
const ignoredFolders = /(?:^|\/)(?:node_modules|vendor)\//

const formatOf = (path: string): Format | undefined =>
  ignoredFolders.test(path) ? undefined : formats.get(path.slice(path.lastIndexOf('/') + 1))

/** The package manager of a lock file; undefined for other files. */
export const packageManagerOf = (path: string): PackageManager | undefined => formatOf(path)?.packageManager

/** A lock file with its content. */
export interface LockFileText {
  readonly path: string
  readonly text: string
}

/** The packages in a lock file, or why it cannot be read. */
export type LockFileResult = { readonly packages: readonly LockedPackage[] } | { readonly problem: string }

/** Reads a lock file. Never throws for its content. */
export const parseLockFile = ({ path, text }: LockFileText): LockFileResult => {
  const collector = createCollector()
  try {
    formatOf(path)?.read(text, collector)
    return { packages: collector.list() }
  } catch (error) {
    if (error instanceof LockFileError) return { problem: error.message }
    // A nesting exhausts the stack of the parsers.
    return { problem: error instanceof RangeError ? 'is nested too deeply' : 'cannot be read' }
  }
}
