import { defined } from '@forgelet/core/operations'
import { withoutUndefined } from './json-fields.ts'
import { isCommitId, isReferenceName } from './names.ts'
import type { RecordedProject, SeedMergeRequest, SeedProject } from './recorded-world.ts'
import type { Skip } from './skip.ts'

type SeedRepository = NonNullable<SeedProject['repository']>

const maxReferences = 1_000

export const isTagName = (name: string): boolean => isReferenceName(name) && !isCommitId(name)

/** Names that can exist together: git stores `a/b` in a folder `a`. */
const withoutConflicts = (names: Iterable<string>): readonly string[] => {
  const all = new Set(names)
  const isFolder = new Set(
    [...all].flatMap((name) => name.split('/').map((_, at, parts) => parts.slice(0, at).join('/'))),
  )
  return [...all].filter((name) => !isFolder.has(name)).slice(0, maxReferences)
}

const author = { name: 'Recording', email: 'recording@users.invalid' }

const createFiles = (contents: ReadonlyMap<string, string> | undefined) => {
  const paths = withoutConflicts((contents ?? new Map<string, string>()).keys())
  return Object.fromEntries(paths.map((path) => [path, defined(contents?.get(path))]))
}

/** Branches with recorded files. */
const listFileBranches = ({ files, tags }: RecordedProject) =>
  [...files.keys()].filter((ref) => isReferenceName(ref) && !isCommitId(ref) && !tags.has(ref))

/** The recorded default branch, or a common name that the recording contains. */
export const findDefaultBranch = (project: RecordedProject): string => {
  const { defaultBranch } = project.fields
  if (defaultBranch !== undefined && isReferenceName(defaultBranch)) return defaultBranch
  const known = [...project.branches, ...listFileBranches(project)]
  return known.includes('master') && !known.includes('main') ? 'master' : 'main'
}

/** The files of the default branch. Those that were recorded at a tag or a commit are added, if the branch has no such files. */
const createDefaultFiles = (project: RecordedProject, defaultBranch: string) => {
  const branches = listFileBranches(project)
  const contents = new Map([...(project.files.get(defaultBranch) ?? []), ...(project.files.get('') ?? [])])
  for (const [ref, others] of project.files) {
    if (branches.includes(ref)) continue
    for (const [path, content] of others) if (!contents.has(path)) contents.set(path, content)
  }
  return createFiles(contents)
}

/** The paths of recorded trees without their contents. */
const countMissingFiles = ({ blobPaths, files }: RecordedProject) => {
  const known = new Set([...files.values()].flatMap((contents) => [...contents.keys()]))
  const listed = new Set([...blobPaths.values()].flatMap((paths) => [...paths.keys()]))
  return [...listed].filter((path) => !known.has(path)).length
}

/**
 * Merge commits without changes: a target branch contains the source branches that were merged into it and still exist, so that
 * their merge requests change nothing when they are merged.
 */
const createMerges = (branches: readonly string[], mergeRequests: readonly SeedMergeRequest[]) => {
  const tips = new Map(branches.map((branch, index) => [branch, index]))
  const merged = mergeRequests.filter(({ state }) => state === 'merged')
  let mergeCount = 0
  // The default branch is the last one, because others are merged into it.
  return [...branches.slice(1), ...branches.slice(0, 1)].flatMap((branch) => {
    const sources = merged.filter(({ targetBranch }) => targetBranch === branch).map((request) => request.sourceBranch)
    const parents = [...new Set(sources)].flatMap((source) => tips.get(source) ?? [])
    if (!parents.length) return []
    const commit = {
      message: 'Merge recorded branches',
      author,
      branch,
      parents: [defined(tips.get(branch)), ...parents],
    }
    tips.set(branch, branches.length + mergeCount++)
    return [commit]
  })
}

/**
 * A repository with one commit for each branch: responses do not contain the history of a file. Undefined if nothing of a
 * repository was recorded.
 */
export const createRepository = (
  project: RecordedProject,
  mergeRequests: readonly SeedMergeRequest[],
  skip: Skip,
): SeedRepository | undefined => {
  const { files, branches, tags, releases } = project
  const missing = countMissingFiles(project)
  if (missing) skip(`${project.path} files`, `the contents of ${missing} files are not in the recording`)
  if (!files.size && !branches.size && !tags.size && !releases.size) return undefined
  const defaultBranch = findDefaultBranch(project)
  const tagNames = [...tags.keys(), ...releases.keys()].filter(isTagName)
  // The source branch of a merged merge request is usually removed.
  const requested = mergeRequests.flatMap(({ state, sourceBranch, targetBranch }) => [
    ...(state === 'merged' ? [] : [sourceBranch]),
    targetBranch ?? defaultBranch,
  ])
  const recorded = [...branches, ...listFileBranches(project)]
  const names = withoutConflicts([defaultBranch, ...recorded, ...requested].filter(isReferenceName))
  const others = names.filter((name) => name !== defaultBranch)
  const first = { message: 'Add recorded files', author, files: createDefaultFiles(project, defaultBranch) }
  const commits = others.map((branch) => ({
    message: `Add recorded files of ${branch}`,
    author,
    branch,
    parents: [0],
    files: createFiles(files.get(branch)),
  }))
  return {
    ifPossible: true,
    commits: [first, ...commits, ...createMerges([defaultBranch, ...others], mergeRequests)],
    tags: withoutConflicts(tagNames).map((name) => withoutUndefined({ name, message: tags.get(name) })),
  }
}
