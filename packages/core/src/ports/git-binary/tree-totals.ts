import { timeLimitReached, tooLarge } from './failures.ts'
import { readTree, type Tree, type TreeTotals } from './tree-object.ts'
import type { Workplace } from './workplace.ts'

/** Directories inside one another; no file system holds deeper ones. */
const maximumDepth = 2000
/** Lookups on their way at once. */
const batch = 256

const add = (left: number, right: number) => Math.min(left + right, Number.MAX_SAFE_INTEGER)

const totalsKey = (place: Workplace, id: string) => `${place.directory}\0${id}`

/**
 * Reads the directories below one that are not accounted for yet, level by level; each distinct one once. What the cache
 * says about others goes into `known`: the cache may have forgotten it when it is needed.
 */
const unknownTrees = async (
  place: Workplace,
  root: Tree,
  known: Map<string, TreeTotals>,
  signal: AbortSignal | undefined,
) => {
  const found = new Map<string, Tree>([[root.id, root]])
  const deadline = performance.now() + place.limits.readTime
  let level: readonly Tree[] = [root]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maximumDepth) throw tooLarge('The tree')
    const wanted = new Set<string>()
    for (const { items } of level) {
      for (const { kind, id } of items) {
        if (kind !== 'tree' || found.has(id) || known.has(id)) continue
        const totals = place.totals.get(totalsKey(place, id))
        if (totals === undefined) wanted.add(id)
        else known.set(id, totals)
      }
    }
    if (found.size + wanted.size > place.limits.directories) throw tooLarge('The tree')
    const ids = [...wanted]
    const next: Tree[] = []
    for (let start = 0; start < ids.length; start += batch) {
      signal?.throwIfAborted()
      if (performance.now() > deadline) throw timeLimitReached()
      for (const tree of await Promise.all(ids.slice(start, start + batch).map((id) => readTree(place, id)))) {
        if (tree !== undefined && !found.has(tree.id)) {
          found.set(tree.id, tree)
          next.push(tree)
        }
      }
    }
    level = next
  }
  return found
}

/**
 * Counts what is below a directory without listing it: every distinct directory is read and counted once, however often it
 * appears. A tree that unfolds to billions of entries costs no more than the few objects it is made of, and after a new
 * commit only the directories it changed are read. `totalsOf` may not know a directory deep inside any more.
 */
export const treeTotals = async (
  place: Workplace,
  root: Tree,
  signal?: AbortSignal,
): Promise<{ readonly totals: TreeTotals; readonly totalsOf: (id: string) => TreeTotals | undefined }> => {
  const known = new Map<string, TreeTotals>()
  const totalsOf = (id: string) => known.get(id) ?? place.totals.get(totalsKey(place, id))
  const counted = totalsOf(root.id)
  if (counted !== undefined) return { totals: counted, totalsOf }
  const unknown = await unknownTrees(place, root, known, signal)

  const count = (tree: Tree): TreeTotals => {
    const sum = { tree: 0, blob: 0, commit: 0, unsafe: tree.unsafe }
    for (const { kind, id } of tree.items) {
      sum[kind] = add(sum[kind], 1)
      const below = kind === 'tree' ? known.get(id) : undefined
      if (below === undefined) continue
      sum.tree = add(sum.tree, below.tree)
      sum.blob = add(sum.blob, below.blob)
      sum.commit = add(sum.commit, below.commit)
      sum.unsafe ||= below.unsafe
    }
    return sum
  }

  // A stack instead of recursion; a directory is counted when everything inside it has been.
  const stack = [root]
  for (let tree = stack.at(-1); tree !== undefined; tree = stack.at(-1)) {
    const inside = known.has(tree.id)
      ? []
      : tree.items.filter(({ kind, id }) => kind === 'tree' && !known.has(id) && unknown.has(id))
    if (inside.length === 0) {
      const totals = count(tree)
      known.set(tree.id, totals)
      place.totals.set(totalsKey(place, tree.id), totals, 64)
      stack.pop()
    } else {
      for (const { id } of inside) {
        const below = unknown.get(id)
        if (below !== undefined) stack.push(below)
      }
    }
  }

  return { totals: known.get(root.id) ?? count(root), totalsOf }
}
