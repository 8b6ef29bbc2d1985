import { DamagedRepositoryError } from './errors.ts'
import type { GitRuntime } from './runtime.ts'
import { parseTree, type Tree } from './tree-object.ts'

/** Enough for a directory of one million files. */
const maximumTreeBytes = 64 * 1024 ** 2

/** `objectName`: an id, or `<commit id>^{tree}`. */
const findTree = async (runtime: GitRuntime, objectName: string): Promise<Tree | undefined> => {
  const key = `${runtime.directory}\0${objectName}`
  const cached = runtime.trees.get(key)
  if (cached !== undefined) return cached
  const object = await runtime.objects.contents(objectName, maximumTreeBytes)
  if (object?.type !== 'tree') return undefined
  const tree = parseTree(object.id, object.content)
  runtime.trees.set(key, tree)
  return tree
}

const missingTreeError = ({ directory }: GitRuntime, description: string) =>
  new DamagedRepositoryError(`the directory ${description} is missing in ${directory}`)

/** Reads a directory that another one contains. */
export const readTree = async (runtime: GitRuntime, id: string): Promise<Tree> => {
  const tree = await findTree(runtime, id)
  if (tree === undefined) throw missingTreeError(runtime, id)
  return tree
}

/** Reads the root directory of a commit; `undefined` for an unknown commit. */
export const readRoot = async (runtime: GitRuntime, commit: string): Promise<Tree | undefined> => {
  const tree = await findTree(runtime, `${commit}^{tree}`)
  if (tree === undefined && (await runtime.objects.info(commit))?.type === 'commit')
    throw missingTreeError(runtime, `of commit ${commit}`)
  return tree
}

const splitPath = (path: string): readonly string[] => path.split('/').filter((part) => part !== '' && part !== '.')

/**
 * Finds a directory below a root by name, segment by segment, so that no path is passed to git. `undefined` when the path does
 * not exist, is not a directory or contains `..`.
 */
export const findSubtree = async (
  runtime: GitRuntime,
  root: Tree,
  path: string,
): Promise<{ readonly tree: Tree; readonly path: string } | undefined> => {
  const parts = splitPath(path)
  if (path.includes('\0') || parts.includes('..')) return undefined
  let tree = root
  for (const part of parts) {
    const entry = tree.entries.find(({ name, kind }) => kind === 'tree' && name === part)
    if (entry === undefined) return undefined
    tree = await readTree(runtime, entry.id)
  }
  return { tree, path: parts.join('/') }
}
