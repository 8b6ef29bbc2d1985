import { timeLimitError, tooLargeError } from './errors.ts'
import type { GitRuntime } from './runtime.ts'
import type { Tree, TreeTotals } from './tree-object.ts'
import { readTree } from './tree-reader.ts'

/** Maximum nesting of directories; file systems do not support deeper paths. */
const maximumDepth = 2000
/** Concurrent lookups. */
const lookupBatchSize = 256

const addSaturating = (left: number, right: number) => Math.min(left + right, Number.MAX_SAFE_INTEGER)

const createCacheKey = (runtime: GitRuntime, id: string) => `${runtime.directory}\0${id}`

/**
 * Reads the directories below `root` without cached totals, level by level, each distinct directory once. Copies cached totals
 * to `totalsById`, because the cache may drop them before they are used.
 */
const readUncountedTrees = async (
  runtime: GitRuntime,
  root: Tree,
  totalsById: Map<string, TreeTotals>,
  signal: AbortSignal | undefined,
) => {
  const trees = new Map<string, Tree>([[root.id, root]])
  const deadline = performance.now() + runtime.limits.readTimeout
  let level: readonly Tree[] = [root]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maximumDepth) throw tooLargeError('The tree')
    const uncounted = new Set<string>()
    for (const { entries } of level) {
      for (const { kind, id } of entries) {
        if (kind !== 'tree' || trees.has(id) || totalsById.has(id)) continue
        const totals = runtime.treeTotals.get(createCacheKey(runtime, id))
        if (totals === undefined) uncounted.add(id)
        else totalsById.set(id, totals)
      }
    }
    if (trees.size + uncounted.size > runtime.limits.listedDirectories) throw tooLargeError('The tree')
    const ids = [...uncounted]
    const next: Tree[] = []
    for (let start = 0; start < ids.length; start += lookupBatchSize) {
      signal?.throwIfAborted()
      if (performance.now() > deadline) throw timeLimitError()
      for (const tree of await Promise.all(
        ids.slice(start, start + lookupBatchSize).map((id) => readTree(runtime, id)),
      )) {
        if (!trees.has(tree.id)) {
          trees.set(tree.id, tree)
          next.push(tree)
        }
      }
    }
    level = next
  }
  return trees
}

/**
 * Counts the entries below a directory without listing them. Reads and counts each distinct directory once, so that a tree of
 * billions of repeated entries costs only its distinct objects, and a new commit only the directories that it changes.
 * `totalsOf` returns `undefined` for totals that the cache has dropped.
 */
export const countTreeEntries = async (
  runtime: GitRuntime,
  root: Tree,
  signal?: AbortSignal,
): Promise<{ readonly totals: TreeTotals; readonly totalsOf: (id: string) => TreeTotals | undefined }> => {
  const totalsById = new Map<string, TreeTotals>()
  const totalsOf = (id: string) => totalsById.get(id) ?? runtime.treeTotals.get(createCacheKey(runtime, id))
  const cached = totalsOf(root.id)
  if (cached !== undefined) return { totals: cached, totalsOf }
  const uncounted = await readUncountedTrees(runtime, root, totalsById, signal)

  const count = (tree: Tree): TreeTotals => {
    const sum = { tree: 0, blob: 0, commit: 0, hasUnsafeNames: tree.hasUnsafeNames }
    for (const { kind, id } of tree.entries) {
      sum[kind] = addSaturating(sum[kind], 1)
      const totals = kind === 'tree' ? totalsById.get(id) : undefined
      if (totals === undefined) continue
      sum.tree = addSaturating(sum.tree, totals.tree)
      sum.blob = addSaturating(sum.blob, totals.blob)
      sum.commit = addSaturating(sum.commit, totals.commit)
      sum.hasUnsafeNames ||= totals.hasUnsafeNames
    }
    return sum
  }

  // A stack instead of recursion. A directory is counted after all directories inside it.
  const stack = [root]
  for (let tree = stack.at(-1); tree !== undefined; tree = stack.at(-1)) {
    const subtrees = totalsById.has(tree.id)
      ? []
      : tree.entries.filter(({ kind, id }) => kind === 'tree' && !totalsById.has(id) && uncounted.has(id))
    if (subtrees.length === 0) {
      const totals = count(tree)
      totalsById.set(tree.id, totals)
      runtime.treeTotals.set(createCacheKey(runtime, tree.id), totals)
      stack.pop()
    } else {
      for (const { id } of subtrees) {
        const subtree = uncounted.get(id)
        if (subtree !== undefined) stack.push(subtree)
      }
    }
  }

  return { totals: totalsById.get(root.id) ?? count(root), totalsOf }
}
