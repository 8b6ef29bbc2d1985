import type { GitRuntime } from './runtime.ts'
import { parseTree, type Tree } from './tree-object.ts'

/** Enough for a directory of one million files. */
const maximumTreeBytes = 64 * 1024 ** 2

/** Reads a directory by its id, or the root of a commit as `<commit id>^{tree}`. */
export const readTree = async (runtime: GitRuntime, objectName: string): Promise<Tree | undefined> => {
  const key = `${runtime.directory}\0${objectName}`
  const cached = runtime.trees.get(key)
  if (cached !== undefined) return cached
  const object = await runtime.objects.contents(objectName, maximumTreeBytes)
  if (object?.type !== 'tree') return undefined
  const tree = parseTree(object.id, object.content)
  runtime.trees.set(key, tree)
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
    const subtree = entry && (await readTree(runtime, entry.id))
    if (subtree === undefined) return undefined
    tree = subtree
  }
  return { tree, path: parts.join('/') }
}
