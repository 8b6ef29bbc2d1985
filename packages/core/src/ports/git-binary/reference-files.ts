import { open, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { LRUCache } from 'lru-cache'
import { DamagedRepositoryError } from './errors.ts'
import { isObjectId } from './object-id.ts'
import { isFullReferenceName } from './reference-name.ts'

/** The object ids of packed references by full name. */
export type PackedReferences = ReadonlyMap<string, string>

const missingFileCodes = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG', 'ELOOP'])

const undefinedIfMissing = (error: NodeJS.ErrnoException): undefined => {
  if (missingFileCodes.has(error.code ?? '')) return undefined
  throw error
}

const readText = (path: string) => readFile(path, 'utf8').catch(undefinedIfMissing)

const parsePackedReferences = (path: string, text: string): PackedReferences => {
  const references = new Map<string, string>()
  for (const line of text.split('\n')) {
    const id = line.slice(0, 40)
    if (line[40] === ' ' && isObjectId(id)) references.set(line.slice(41), id)
    // The header begins with `#`, the peeled id of a tag with `^`.
    else if (line !== '' && !line.startsWith('#') && !line.startsWith('^'))
      throw new DamagedRepositoryError(`${path} has an invalid line: ${line.slice(0, 200)}`)
  }
  return references
}

const readPackedReferences = async (
  directory: string,
  cache: LRUCache<string, PackedReferences>,
): Promise<PackedReferences | undefined> => {
  const path = join(directory, 'packed-refs')
  // Opened before it is examined: a network file system with close-to-open consistency reads current attributes then.
  const file = await open(path, 'r').catch(undefinedIfMissing)
  if (file === undefined) return undefined
  try {
    const stats = await file.stat({ bigint: true })
    // git always replaces the file, so each version has different values.
    const key = `${directory}\0${stats.ino}\0${stats.size}\0${stats.mtimeNs}`
    const cached = cache.get(key)
    if (cached !== undefined) return cached
    const references = parsePackedReferences(path, await file.readFile('utf8'))
    cache.set(key, references)
    return references
  } finally {
    await file.close()
  }
}

/**
 * Reads the object id of a reference, or the target of a symbolic one. `name` must be validated, so that it stays inside the
 * directory. Reads the loose file before `packed-refs`, as git does, so that a concurrently packed reference is found.
 */
const readReference = async (
  directory: string,
  name: string,
  cache: LRUCache<string, PackedReferences>,
): Promise<{ readonly id?: string | undefined; readonly target?: string }> => {
  const path = join(directory, name)
  const text = (await readText(path))?.trim()
  if (text === undefined) return { id: (await readPackedReferences(directory, cache))?.get(name) }
  const target = /^ref:\s*(.*)$/.exec(text)?.[1]
  if (target === undefined ? !isObjectId(text) : !isFullReferenceName(target))
    throw new DamagedRepositoryError(`${path} has an invalid value: ${text.slice(0, 200)}`)
  return target === undefined ? { id: text } : { target }
}

/** Resolves a reference to an object id, through at most five symbolic references. `name` is `HEAD` or a validated full name. */
export const resolveReferenceFile = async (
  directory: string,
  name: string,
  cache: LRUCache<string, PackedReferences>,
): Promise<string | undefined> => {
  let current = name
  for (let step = 0; step <= 5; step += 1) {
    const { id, target } = await readReference(directory, current, cache)
    if (target === undefined) return id
    current = target
  }
  return undefined
}

/** The branch of HEAD, which need not exist. */
export const readHeadBranch = async (directory: string): Promise<string | undefined> => {
  const text = await readText(join(directory, 'HEAD'))
  return /^ref: *refs\/heads\/(.+)$/m.exec(text ?? '')?.[1]?.trim()
}

/** Whether the repository stores references in the reftable format instead of files. */
export const usesReftable = async (directory: string): Promise<boolean> =>
  (await stat(join(directory, 'reftable')).catch(undefinedIfMissing)) !== undefined
