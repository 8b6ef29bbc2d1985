import { shownText } from './shown-text.ts'
import type { Workplace } from './workplace.ts'

export type EntryKind = 'tree' | 'blob' | 'commit'

/** The order in which listings group entries. */
export const entryKinds: readonly EntryKind[] = ['tree', 'blob', 'commit']

export interface TreeItem {
  readonly id: string
  readonly name: string
  readonly kind: EntryKind
  /** Six octal digits. */
  readonly mode: string
}

/** One directory, its entries in git's order: by bytes, directories as if their names ended in a slash. */
export interface Tree {
  readonly id: string
  readonly items: readonly TreeItem[]
  /** Some name that no tool writes and that would lead out of a directory when unpacked. */
  readonly unsafe: boolean
  /** What it takes to keep, about. */
  readonly bytes: number
}

/** Entries below a directory at any depth, by kind. Numbers beyond what a double holds exactly stay at that bound. */
export type TreeTotals = Readonly<Record<EntryKind, number>> & { readonly unsafe: boolean }

/** A directory that holds nothing but a million files is still below this. */
const maximumTreeBytes = 64 * 1024 ** 2

const kinds: Readonly<Record<string, EntryKind>> = { '040000': 'tree', '160000': 'commit' }

const isUnsafe = (name: string) => name === '' || name === '.' || name === '..' || name.includes('/')

const beyondAscii = /[\u0080-\u00ff]/

const sixDigits = (mode: string): string => (mode.length === 5 ? `0${mode}` : mode.padStart(6, '0'))

/** Reads the stored form: `<mode> <name> NUL <20 bytes of id>`, again and again. */
const parseTree = (id: string, bytes: Buffer): Tree => {
  // Pieces of two long strings: converting each entry on its own takes several times as long.
  const text = bytes.toString('latin1')
  const hex = bytes.toString('hex')
  const items: TreeItem[] = []
  let unsafe = false
  let at = 0
  while (at < text.length) {
    const space = text.indexOf(' ', at)
    const nul = text.indexOf('\0', space)
    if (space < 0 || nul < 0 || nul + 21 > text.length) throw new Error(`the directory ${id} is damaged`)
    const mode = sixDigits(text.slice(at, space))
    const latin1 = text.slice(space + 1, nul)
    const name = beyondAscii.test(latin1) ? shownText(bytes.subarray(space + 1, nul)) : latin1
    at = nul + 21
    unsafe ||= isUnsafe(name)
    items.push({ id: hex.slice(2 * nul + 2, 2 * at), name, kind: kinds[mode] ?? 'blob', mode })
  }
  return { id, items, unsafe, bytes: items.length * 120 + bytes.length * 3 }
}

/** A directory by its id, or the root of a commit by `<commit id>^{tree}`. */
export const readTree = async (place: Workplace, subject: string): Promise<Tree | undefined> => {
  const key = `${place.directory}\0${subject}`
  const known = place.trees.get(key)
  if (known !== undefined) return known
  const found = await place.objects.contents(subject, maximumTreeBytes)
  if (found === undefined || found.type !== 'tree') return undefined
  const tree = parseTree(found.id, found.content)
  place.trees.set(key, tree, tree.bytes)
  return tree
}

const byPath = (path: string): readonly string[] => path.split('/').filter((part) => part !== '' && part !== '.')

/**
 * The directory below a root, by walking one name after another, so that a path is never git's to interpret.
 * `undefined` for what does not exist, is no directory, or tries to climb.
 */
export const walkTo = async (
  place: Workplace,
  root: Tree,
  path: string,
): Promise<{ readonly tree: Tree; readonly path: string } | undefined> => {
  const parts = byPath(path)
  if (path.includes('\0') || parts.includes('..')) return undefined
  let tree = root
  for (const part of parts) {
    const item = tree.items.find(({ name, kind }) => kind === 'tree' && name === part)
    const next = item && (await readTree(place, item.id))
    if (next === undefined) return undefined
    tree = next
  }
  return { tree, path: parts.join('/') }
}
