import { decodeUtf8OrLatin1 } from './decode-text.ts'

export type EntryKind = 'tree' | 'blob' | 'commit'

/** The order of the groups in a listing. */
export const entryKinds: readonly EntryKind[] = ['tree', 'blob', 'commit']

export interface StoredTreeEntry {
  readonly id: string
  readonly name: string
  readonly kind: EntryKind
  /** Six octal digits. */
  readonly mode: string
}

/** One directory. Its entries have git's order: by bytes, directories as if their names ended with a slash. */
export interface Tree {
  readonly id: string
  readonly entries: readonly StoredTreeEntry[]
  /** Whether a name such as `..` would be written outside of the directory into which an archive is unpacked. */
  readonly hasUnsafeNames: boolean
  /** Estimated size in the cache. */
  readonly cacheBytes: number
}

/** Numbers of entries below a directory at any depth, by kind. Saturate at `Number.MAX_SAFE_INTEGER`. */
export type TreeTotals = Readonly<Record<EntryKind, number>> & { readonly hasUnsafeNames: boolean }

const kindByMode: Readonly<Record<string, EntryKind>> = { '040000': 'tree', '160000': 'commit' }

const isUnsafeName = (name: string) => name === '' || name === '.' || name === '..' || name.includes('/')

const nonAscii = /[\u0080-\u00ff]/

const padMode = (mode: string): string => (mode.length === 5 ? `0${mode}` : mode.padStart(6, '0'))

/** Parses the stored form: repeated entries of `<mode> <name>`, NUL and a 20-byte id. */
export const parseTree = (id: string, bytes: Buffer): Tree => {
  // Slicing two long strings is several times faster than converting each entry.
  const text = bytes.toString('latin1')
  const hex = bytes.toString('hex')
  const entries: StoredTreeEntry[] = []
  let hasUnsafeNames = false
  let offset = 0
  while (offset < text.length) {
    const space = text.indexOf(' ', offset)
    const nul = text.indexOf('\0', space)
    if (space < 0 || nul < 0 || nul + 21 > text.length) throw new Error(`The tree object ${id} is damaged`)
    const mode = padMode(text.slice(offset, space))
    const latin1 = text.slice(space + 1, nul)
    const name = nonAscii.test(latin1) ? decodeUtf8OrLatin1(bytes.subarray(space + 1, nul)) : latin1
    offset = nul + 21
    hasUnsafeNames ||= isUnsafeName(name)
    entries.push({ id: hex.slice(2 * nul + 2, 2 * offset), name, kind: kindByMode[mode] ?? 'blob', mode })
  }
  return { id, entries, hasUnsafeNames, cacheBytes: entries.length * 120 + bytes.length * 3 }
}
