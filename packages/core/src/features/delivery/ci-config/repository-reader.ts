import { CiConfigError } from './config-error.ts'

/** Where a pipeline file reads files. */
export interface IncludeSource {
  /** Full path of a project; undefined for the project of the pipeline. */
  readonly project?: string
  /** Branch, tag or SHA; the default branch if omitted. */
  readonly ref?: string
  /** Whether `ref` can be a version of a component, too: `~latest`, or the beginning of one, such as `1.2`. */
  readonly isVersion?: boolean
  /** Name of a job of the parent pipeline whose artifacts contain the file, instead of a repository. */
  readonly job?: string
}

/** Reads a file of a repository; undefined if it does not exist or the current user cannot read it. */
export type ReadFile = (path: string, source: IncludeSource) => Promise<string | undefined>

/** Paths of the files of a commit. A project that the current user cannot read is missing. */
export type PathList = readonly string[] | 'missing project' | 'missing ref'

/** Paths of changed files. `all`: unknown, every path counts as changed. */
export type ChangeList = readonly string[] | 'all' | 'missing ref'

/** What includes and rules of a pipeline file read of repositories. */
export interface RepositoryReader {
  readonly readFile: ReadFile
  readonly listPaths: (source: IncludeSource) => Promise<PathList>
  /**
   * The paths that the commits of the pipeline change.
   *
   * @param compareTo name of a branch or tag, or SHA: the paths that differ from its merge base instead
   */
  readonly listChanges: (compareTo: string | undefined) => Promise<ChangeList>
}

/** Commits of other projects and refs that the rules of one file compare or search. */
const maxLists = 20

/** Lists each commit once, and not too many of them. */
export const limitLists = ({ readFile, listPaths, listChanges }: RepositoryReader): RepositoryReader => {
  const remember = <T>(lists: Map<string, Promise<T>>, key: string, list: () => Promise<T>): Promise<T> => {
    const known = lists.get(key)
    if (known) return known
    if (lists.size >= maxLists)
      throw new CiConfigError(`The rules search or compare more than ${maxLists} projects and refs`)
    const listed = list()
    lists.set(key, listed)
    return listed
  }
  const paths = new Map<string, Promise<PathList>>()
  const changes = new Map<string, Promise<ChangeList>>()
  return {
    readFile,
    listPaths: async (source) =>
      remember(paths, JSON.stringify([source.project, source.ref, source.isVersion]), () => listPaths(source)),
    listChanges: async (compareTo) => remember(changes, JSON.stringify([compareTo]), () => listChanges(compareTo)),
  }
}

/** Of a text without a project: it has no files and no changes. */
export const emptyReader: RepositoryReader = {
  readFile: async () => undefined,
  listPaths: async ({ project }) => (project === undefined ? [] : 'missing project'),
  listChanges: async (compareTo) => (compareTo === undefined ? 'all' : 'missing ref'),
}
