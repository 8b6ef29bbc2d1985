import { conflict, invalid, notFound } from '../../kernel/errors.ts'
import type { GitReference, Head, ReferenceUpdate } from '../git.ts'
import { decodeUtf8OrLatin1 } from './decode-text.ts'
import { DamagedRepositoryError, GitProcessError } from './errors.ts'
import { isObjectId, nullObjectId } from './object-id.ts'
import { readHeadBranch, resolveReferenceFile } from './reference-files.ts'
import { isFullReferenceName, isReferenceName } from './reference-name.ts'
import { isRepository } from './repository-lifecycle.ts'
import type { GitRuntime } from './runtime.ts'
import { listCheckedOutBranches } from './working-trees.ts'

/** Resolves a reference by reading its file, or with git in a repository with reftables. */
const resolveObjectId = async (runtime: GitRuntime, name: string): Promise<string | undefined> => {
  const { directory, runner, limits } = runtime
  if (!(await runtime.usesReftable())) return resolveReferenceFile(directory, name, runtime.packedReferences)
  const { output } = await runner.run({
    directory,
    // `--verify` accepts a full name only, no revision expression.
    arguments: ['show-ref', '--verify', '--hash', '--end-of-options', name],
    timeout: limits.readTimeout,
    expectedExitCodes: [1, 128],
  })
  const id = output.toString('latin1').trim()
  return isObjectId(id) ? id : undefined
}

/** Peels an object to its commit. `id` may be abbreviated. */
const peelToCommit = async ({ objects }: GitRuntime, id: string): Promise<string | undefined> =>
  (await objects.info(`${id}^{commit}`))?.id

/** `undefined` for an unknown reference, and for a tag of another object than a commit. */
const peelReference = async (runtime: GitRuntime, name: string) => {
  const id = await resolveObjectId(runtime, name)
  if (id === undefined) {
    // Without this check, a missing repository would be an empty one.
    if (await isRepository(runtime.directory)) return undefined
    throw new DamagedRepositoryError(`${runtime.directory} is not a git repository`)
  }
  const key = `${runtime.directory}\0${id}`
  const cached = runtime.peeledCommits.get(key)
  if (cached !== undefined) return cached
  const commit = await peelToCommit(runtime, id)
  if (commit !== undefined) runtime.peeledCommits.set(key, commit)
  else if ((await runtime.objects.info(`${id}^{}`)) === undefined)
    throw new DamagedRepositoryError(`the object ${id} of ${name} is missing in ${runtime.directory}`)
  return commit
}

/** See `Repository.reference`. */
export const readReference = async (runtime: GitRuntime, name: string): Promise<string | undefined> =>
  isFullReferenceName(name) ? resolveObjectId(runtime, name) : undefined

/** See `Repository.peel`. */
export const peelObject = async (runtime: GitRuntime, id: string): Promise<string | undefined> =>
  isObjectId(id) ? peelToCommit(runtime, id) : undefined

export const findBranchTip = async (runtime: GitRuntime, name: string): Promise<string | undefined> =>
  isReferenceName(name) ? peelReference(runtime, `refs/heads/${name}`) : undefined

export const findTaggedCommit = async (runtime: GitRuntime, name: string): Promise<string | undefined> =>
  isReferenceName(name) ? peelReference(runtime, `refs/tags/${name}`) : undefined

/** See `Repository.resolve`. */
export const resolveReference = async (runtime: GitRuntime, text: string): Promise<string | undefined> => {
  if (text === 'HEAD') return peelReference(runtime, 'HEAD')
  if (!isReferenceName(text)) return undefined
  const isHexadecimal = /^[0-9a-f]{7,40}$/i.test(text)
  const id = text.toLowerCase()
  const exact = isHexadecimal && id.length === 40 ? await peelToCommit(runtime, id) : undefined
  if (exact !== undefined) return exact === id ? exact : undefined
  const [tag, branch] = await Promise.all([findTaggedCommit(runtime, text), findBranchTip(runtime, text)])
  const named = tag ?? branch
  if (named !== undefined || !isHexadecimal || id.length === 40) return named
  // Not `id`: git prefers a branch of that name to the abbreviation.
  const commit = await peelToCommit(runtime, text)
  return commit?.startsWith(id) ? commit : undefined
}

export const readHead = async (runtime: GitRuntime): Promise<Head> => {
  const branch = await readHeadBranch(runtime.directory)
  const commit = await peelReference(runtime, 'HEAD')
  return { ...(branch === undefined ? {} : { branch }), ...(commit === undefined ? {} : { commit }) }
}

export const setHead = async (runtime: GitRuntime, branch: string): Promise<void> => {
  if (!isReferenceName(branch)) throw invalid({ branch: ['is invalid'] })
  if ((await listCheckedOutBranches(runtime)).length > 0) return
  const { directory, runner, limits } = runtime
  await runner.run({
    directory,
    arguments: ['symbolic-ref', '--', 'HEAD', `refs/heads/${branch}`],
    timeout: limits.writeTimeout,
  })
}

/** All references under `refs/heads/` or `refs/tags/` that point to commits. */
export const listReferences = async (runtime: GitRuntime, kind: 'heads' | 'tags'): Promise<readonly GitReference[]> => {
  const { output, stderr } = await runtime.runner.run({
    directory: runtime.directory,
    arguments: ['for-each-ref', '--format=%(objectname) %(objecttype) %(refname)', `refs/${kind}/`],
    timeout: runtime.limits.readTimeout,
  })
  if (stderr.includes('broken ref')) throw new DamagedRepositoryError(`${stderr.trim()} in ${runtime.directory}`)
  const references: Promise<GitReference | undefined>[] = []
  for (let start = 0; start < output.length; ) {
    const end = output.indexOf(10, start)
    const [id = '', type = '', ...words] = decodeUtf8OrLatin1(output.subarray(start, end)).split(' ')
    const name = words.join(' ').slice(`refs/${kind}/`.length)
    start = end + 1
    const peeled = type === 'commit' ? Promise.resolve(id) : peelToCommit(runtime, id)
    references.push(peeled.then((commit) => (commit === undefined ? undefined : { name, commit })))
  }
  return (await Promise.all(references)).filter((reference) => reference !== undefined)
}

/** Applies all changes in one transaction. */
export const updateReferences = async (runtime: GitRuntime, changes: readonly ReferenceUpdate[]): Promise<void> => {
  for (const { name, from, to } of changes) {
    if (!isFullReferenceName(name)) throw invalid({ name: ['is invalid'] })
    for (const id of [from, to]) if (id !== undefined && !isObjectId(id)) throw notFound('Commit')
  }
  const lines = changes.map(({ name, from = nullObjectId, to }) =>
    to !== undefined
      ? `update ${name}\0${to}\0${from}\0`
      : `${from === nullObjectId ? 'verify' : 'delete'} ${name}\0${from}\0`,
  )
  try {
    await runtime.runner.run({
      directory: runtime.directory,
      arguments: ['update-ref', '--stdin', '-z'],
      input: lines,
      timeout: runtime.limits.writeTimeout,
    })
  } catch (error) {
    if (!(error instanceof GitProcessError)) throw error
    if (error.stderr.includes('nonexistent object')) throw notFound('Commit')
    if (/cannot lock ref|already exists|expected|Unable to create/.test(error.stderr)) {
      throw conflict('A reference was modified concurrently')
    }
    throw error
  }
}
