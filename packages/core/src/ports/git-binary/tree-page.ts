import { setImmediate } from 'node:timers/promises'
import type { TreeEntry, TreePage, TreeRequest } from '../git.ts'
import { tooLargeError } from './errors.ts'
import { isObjectId } from './object-id.ts'
import type { GitRuntime } from './runtime.ts'
import { type EntryKind, entryKinds, type StoredTreeEntry, type Tree, type TreeTotals } from './tree-object.ts'
import { findSubtree, readRoot, readTree } from './tree-reader.ts'
import { countTreeEntries } from './tree-totals.ts'

/** Maximum entries of one page. */
const maximumEntries = 1_000_000

const toTreeEntry = ({ id, name, kind, mode }: StoredTreeEntry, folder: string): TreeEntry => ({
  id,
  name,
  path: folder === '' ? name : `${folder}/${name}`,
  type: kind,
  mode,
})

const listEntries = (tree: Tree, folder: string): readonly TreeEntry[] =>
  entryKinds.flatMap((kind) =>
    tree.entries.filter((entry) => entry.kind === kind).map((entry) => toTreeEntry(entry, folder)),
  )

interface TreeWalk {
  readonly kind: EntryKind
  readonly totalsOf: (id: string) => TreeTotals | undefined
  /** Remaining entries of this kind to skip before the page, then to add to it. */
  skip: number
  take: number
  readonly entries: TreeEntry[]
  readonly signal: AbortSignal | undefined
}

/** Collects entries of one kind in git's order. Skips whole directories before the page by their totals. */
const collectEntries = async (runtime: GitRuntime, walk: TreeWalk, root: Tree, folder: string): Promise<void> => {
  const stack = [{ entries: root.entries, next: 0, folder }]
  let steps = 0
  for (let top = stack.at(-1); top !== undefined && walk.take > 0; top = stack.at(-1)) {
    const entry = top.entries[top.next]
    if (entry === undefined) {
      stack.pop()
      continue
    }
    top.next += 1
    steps += 1
    if (steps % 10_000 === 0) {
      walk.signal?.throwIfAborted()
      // Yields to the event loop.
      await setImmediate()
    }
    if (entry.kind === walk.kind) {
      if (walk.skip > 0) walk.skip -= 1
      else {
        walk.entries.push(toTreeEntry(entry, top.folder))
        walk.take -= 1
      }
    }
    if (entry.kind !== 'tree' || walk.take === 0) continue
    const total = walk.totalsOf(entry.id)?.[walk.kind]
    if (total !== undefined && total <= walk.skip) walk.skip -= total
    else {
      const tree = await readTree(runtime, entry.id)
      const path = top.folder === '' ? entry.name : `${top.folder}/${entry.name}`
      stack.push({ entries: tree.entries, next: 0, folder: path })
    }
  }
}

/** See `Repository.tree`. */
export const readTreePage = async (runtime: GitRuntime, request: TreeRequest): Promise<TreePage | undefined> => {
  const { commit, path = '', recursive = false, offset = 0, limit = Number.MAX_SAFE_INTEGER, signal } = request
  if (!isObjectId(commit)) return undefined
  const root = await readRoot(runtime, commit)
  if (root === undefined) return undefined
  const start = await findSubtree(runtime, root, path)
  if (start === undefined) return { entries: [], total: 0 }
  if (!recursive) {
    const entries = listEntries(start.tree, start.path)
    return { entries: entries.slice(offset, offset + limit), total: entries.length }
  }
  const { totals, totalsOf } = await countTreeEntries(runtime, start.tree, signal)
  const total = Math.min(totals.tree + totals.blob + totals.commit, Number.MAX_SAFE_INTEGER)
  if (Math.min(limit, total - offset) > maximumEntries) throw tooLargeError('The tree')
  const entries: TreeEntry[] = []
  let skip = offset
  for (const kind of entryKinds) {
    const walk: TreeWalk = { kind, totalsOf, skip, take: limit - entries.length, entries, signal }
    if (skip < totals[kind]) await collectEntries(runtime, walk, start.tree, start.path)
    skip = Math.max(0, skip - totals[kind])
  }
  return { entries, total }
}
