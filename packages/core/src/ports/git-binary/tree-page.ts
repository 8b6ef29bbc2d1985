import { setImmediate } from 'node:timers/promises'
import type { TreeEntry, TreePage, TreeRequest } from '../git.ts'
import { tooLarge } from './failures.ts'
import { isObjectId } from './object-id.ts'
import {
  type EntryKind,
  entryKinds,
  readTree,
  type Tree,
  type TreeItem,
  type TreeTotals,
  walkTo,
} from './tree-object.ts'
import { treeTotals } from './tree-totals.ts'
import type { Workplace } from './workplace.ts'

/** Of one page; a caller that wants all of a larger tree has to take it in pages. */
const maximumEntries = 1_000_000

const entry = ({ id, name, kind, mode }: TreeItem, folder: string): TreeEntry => ({
  id,
  name,
  path: folder === '' ? name : `${folder}/${name}`,
  type: kind,
  mode,
})

const flat = (tree: Tree, folder: string): readonly TreeEntry[] =>
  entryKinds.flatMap((wanted) => tree.items.filter(({ kind }) => kind === wanted).map((item) => entry(item, folder)))

interface Walk {
  readonly kind: EntryKind
  readonly totalsOf: (id: string) => TreeTotals | undefined
  /** Entries of the kind still to leave out, and then to take. */
  skip: number
  take: number
  readonly entries: TreeEntry[]
  readonly signal: AbortSignal | undefined
}

/** Collects entries of one kind in git's order, passing whole directories by as long as they lie before the page. */
const collect = async (place: Workplace, walk: Walk, root: Tree, folder: string): Promise<void> => {
  const stack = [{ items: root.items, next: 0, folder }]
  let steps = 0
  for (let top = stack.at(-1); top !== undefined && walk.take > 0; top = stack.at(-1)) {
    const item = top.items[top.next]
    if (item === undefined) {
      stack.pop()
      continue
    }
    top.next += 1
    steps += 1
    if (steps % 10_000 === 0) {
      walk.signal?.throwIfAborted()
      // A long listing lets others have their turn.
      await setImmediate()
    }
    if (item.kind === walk.kind) {
      if (walk.skip > 0) walk.skip -= 1
      else {
        walk.entries.push(entry(item, top.folder))
        walk.take -= 1
      }
    }
    if (item.kind !== 'tree' || walk.take === 0) continue
    const below = walk.totalsOf(item.id)?.[walk.kind]
    if (below !== undefined && below <= walk.skip) walk.skip -= below
    else {
      const tree = await readTree(place, item.id)
      const inside = top.folder === '' ? item.name : `${top.folder}/${item.name}`
      if (tree !== undefined) stack.push({ items: tree.items, next: 0, folder: inside })
    }
  }
}

/** One page of a listing; see `Repository.tree`. */
export const treePage = async (place: Workplace, request: TreeRequest): Promise<TreePage | undefined> => {
  const { commit, path = '', recursive = false, offset = 0, limit = Number.MAX_SAFE_INTEGER, signal } = request
  if (!isObjectId(commit)) return undefined
  const root = await readTree(place, `${commit}^{tree}`)
  if (root === undefined) return undefined
  const start = await walkTo(place, root, path)
  if (start === undefined) return { entries: [], total: 0 }
  if (!recursive) {
    const all = flat(start.tree, start.path)
    return { entries: all.slice(offset, offset + limit), total: all.length }
  }
  const { totals, totalsOf } = await treeTotals(place, start.tree, signal)
  const total = Math.min(totals.tree + totals.blob + totals.commit, Number.MAX_SAFE_INTEGER)
  if (Math.min(limit, total - offset) > maximumEntries) throw tooLarge('The tree')
  const entries: TreeEntry[] = []
  let skip = offset
  for (const kind of entryKinds) {
    const walk: Walk = { kind, totalsOf, skip, take: limit - entries.length, entries, signal }
    if (skip < totals[kind]) await collect(place, walk, start.tree, start.path)
    skip = Math.max(0, skip - totals[kind])
  }
  return { entries, total }
}
