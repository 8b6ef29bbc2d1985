import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { undefinedIfMissing } from './errors.ts'

/** Whether a folder can contain a key that starts with `prefix` and comes after `after`. `path` ends with a slash. */
const isRelevant = (path: string, prefix: string, after: string) =>
  (path.startsWith(prefix) || prefix.startsWith(path)) && (path > after || after.startsWith(path))

/**
 * The keys of the files below a folder, in byte order, one folder at a time. Names with a leading dot are temporary files. Skips
 * folders that another process removes meanwhile.
 */
export async function* listFolder(root: string, prefix: string, after = '', path = ''): AsyncGenerator<string> {
  const found = (await readdir(join(root, path), { withFileTypes: true }).catch(undefinedIfMissing)) ?? []
  // With the slash, because `a-b` comes before `a/b`.
  const entries = found
    .filter((entry) => entry.isDirectory() || entry.isFile())
    .map((entry) => `${path}${entry.name}${entry.isDirectory() ? '/' : ''}`)
  for (const entry of entries.filter((name) => !name.slice(path.length).startsWith('.')).sort()) {
    if (entry.endsWith('/')) {
      if (isRelevant(entry, prefix, after)) yield* listFolder(root, prefix, after, entry)
    } else if (entry.startsWith(prefix) && entry > after) yield entry
  }
}
