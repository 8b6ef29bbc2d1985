import type { Abortable, Repository, TreeEntry } from '../../../ports/git.ts'

/** The entry at a path of a commit; undefined if there is none. */
export const findTreeEntry = async (
  repository: Repository,
  commit: string,
  path: string,
  abortable: Abortable = {},
): Promise<TreeEntry | undefined> => {
  const slash = path.lastIndexOf('/')
  const folder = slash < 0 ? '' : path.slice(0, slash)
  const page = await repository.tree({ commit, path: folder, ...abortable })
  return page?.entries.find((entry) => entry.path === path)
}
