import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ByteCache } from './byte-cache.ts'
import { isObjectId } from './object-id.ts'
import { isFullReferenceName } from './reference-name.ts'

/** Names and object ids of the packed references of a repository. */
export type PackedReferences = ReadonlyMap<string, string>

const missing = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG', 'ELOOP'])

const unlessMissing = (error: NodeJS.ErrnoException): undefined => {
  if (missing.has(error.code ?? '')) return undefined
  throw error
}

const readText = (path: string) => readFile(path, 'utf8').catch(unlessMissing)

const parsePacked = (text: string): PackedReferences => {
  const references = new Map<string, string>()
  for (const line of text.split('\n')) {
    // Comments begin with `#`, the commit of the tag before with `^`.
    const id = line.slice(0, 40)
    if (line[40] === ' ' && isObjectId(id)) references.set(line.slice(41), id)
  }
  return references
}

const packedReferences = async (
  directory: string,
  cache: ByteCache<PackedReferences>,
): Promise<PackedReferences | undefined> => {
  const path = join(directory, 'packed-refs')
  const found = await stat(path, { bigint: true }).catch(unlessMissing)
  if (found === undefined) return undefined
  // The file is always replaced, never written to, so these tell one version from another.
  const key = `${directory}\0${found.ino}\0${found.size}\0${found.mtimeNs}`
  const known = cache.get(key)
  if (known !== undefined) return known
  const text = await readText(path)
  if (text === undefined) return undefined
  const references = parsePacked(text)
  cache.set(key, references, text.length * 3)
  return references
}

/**
 * What a reference is, read from the files git keeps it in: an object id, or the name of the reference it stands for.
 * The name has been checked and stays inside the directory. Read in git's own order, file before packed list, so that a
 * reference that is being packed meanwhile is never missed.
 */
const readReference = async (
  directory: string,
  name: string,
  cache: ByteCache<PackedReferences>,
): Promise<{ readonly id?: string; readonly target?: string }> => {
  const text = (await readText(join(directory, name)))?.trim()
  if (text === undefined) return { id: (await packedReferences(directory, cache))?.get(name) ?? '' }
  return text.startsWith('ref:') ? { target: text.slice(4).trim() } : { id: text }
}

/** The object a reference leads to, over at most five symbolic ones. `name` is `HEAD` or a checked full name. */
export const objectOfReference = async (
  directory: string,
  name: string,
  cache: ByteCache<PackedReferences>,
): Promise<string | undefined> => {
  let current = name
  for (let step = 0; step <= 5; step += 1) {
    const { id, target } = await readReference(directory, current, cache)
    if (target === undefined) return id !== undefined && isObjectId(id) ? id : undefined
    if (!isFullReferenceName(target)) return undefined
    current = target
  }
  return undefined
}

/** The branch that HEAD names, whether it exists or not. */
export const headBranch = async (directory: string): Promise<string | undefined> => {
  const text = await readText(join(directory, 'HEAD'))
  return /^ref: *refs\/heads\/(.+)$/m.exec(text ?? '')?.[1]?.trim()
}

/** True where git keeps references in another form than files. */
export const hasOtherReferenceStorage = async (directory: string): Promise<boolean> =>
  (await stat(join(directory, 'reftable')).catch(unlessMissing)) !== undefined
