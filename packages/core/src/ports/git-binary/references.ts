import { conflict, invalid, notFound } from '../../kernel/errors.ts'
import type { Head, Reference, ReferenceChange } from '../git.ts'
import { GitFailure } from './failures.ts'
import { isObjectId, noObject } from './object-id.ts'
import { headBranch, objectOfReference } from './reference-files.ts'
import { isFullReferenceName, isReferenceName } from './reference-name.ts'
import { shownText } from './shown-text.ts'
import type { Workplace } from './workplace.ts'

/** The object of a reference, by reading its file, or by asking git where the repository keeps references otherwise. */
const objectOf = async (place: Workplace, name: string): Promise<string | undefined> => {
  const { directory, runner, limits } = place
  if (!(await place.hasOtherReferenceStorage())) return objectOfReference(directory, name, place.packedReferences)
  const { output } = await runner.run({
    directory,
    // A name that has been checked, and exactly this name: no expression is understood here.
    arguments: ['show-ref', '--verify', '--hash', '--end-of-options', name],
    timeLimit: limits.readTime,
    codes: [1, 128],
  })
  const id = output.toString('latin1').trim()
  return isObjectId(id) ? id : undefined
}

/** The commit that an object, given by its id or the beginning of one, is or marks. */
const commitOf = async ({ objects }: Workplace, id: string): Promise<string | undefined> =>
  (await objects.info(`${id}^{commit}`))?.id

const commitOfReference = async (place: Workplace, name: string) => {
  const id = await objectOf(place, name)
  if (id === undefined) return undefined
  const key = `${place.directory}\0${id}`
  const known = place.marked.get(key)
  if (known !== undefined) return known
  const commit = await commitOf(place, id)
  if (commit !== undefined) place.marked.set(key, commit, 50)
  return commit
}

export const branchTip = async (place: Workplace, name: string): Promise<string | undefined> =>
  isReferenceName(name) ? commitOfReference(place, `refs/heads/${name}`) : undefined

export const taggedCommit = async (place: Workplace, name: string): Promise<string | undefined> =>
  isReferenceName(name) ? commitOfReference(place, `refs/tags/${name}`) : undefined

/** HEAD, full id, tag, branch, short id; in this order, and nothing else. */
export const resolveReference = async (place: Workplace, text: string): Promise<string | undefined> => {
  if (text === 'HEAD') return commitOfReference(place, 'HEAD')
  if (!isReferenceName(text)) return undefined
  const hexadecimal = /^[0-9a-f]{7,40}$/i.test(text)
  const id = text.toLowerCase()
  const exact = hexadecimal && id.length === 40 ? await commitOf(place, id) : undefined
  if (exact !== undefined) return exact === id ? exact : undefined
  const [tag, branch] = await Promise.all([taggedCommit(place, text), branchTip(place, text)])
  const named = tag ?? branch
  if (named !== undefined || !hexadecimal || id.length === 40) return named
  const found = await commitOf(place, id)
  return found?.startsWith(id) ? found : undefined
}

export const readHead = async (place: Workplace): Promise<Head> => {
  const branch = await headBranch(place.directory)
  const commit = await commitOfReference(place, 'HEAD')
  return { ...(branch === undefined ? {} : { branch }), ...(commit === undefined ? {} : { commit }) }
}

export const setHead = async ({ directory, runner, limits }: Workplace, branch: string): Promise<void> => {
  if (!isReferenceName(branch)) throw invalid({ branch: ['is invalid'] })
  await runner.run({
    directory,
    arguments: ['symbolic-ref', '--', 'HEAD', `refs/heads/${branch}`],
    timeLimit: limits.writeTime,
  })
}

/** All references under `refs/heads/` or `refs/tags/` that are or mark commits. */
export const listReferences = async (place: Workplace, kind: 'heads' | 'tags'): Promise<readonly Reference[]> => {
  const { output } = await place.runner.run({
    directory: place.directory,
    arguments: ['for-each-ref', '--format=%(objectname) %(objecttype) %(refname)', `refs/${kind}/`],
    timeLimit: place.limits.readTime,
  })
  const found: Promise<Reference | undefined>[] = []
  for (let start = 0; start < output.length; ) {
    const stop = output.indexOf(10, start)
    const [id = '', type = '', ...words] = shownText(output.subarray(start, stop)).split(' ')
    const name = words.join(' ').slice(`refs/${kind}/`.length)
    start = stop + 1
    const commit = type === 'commit' ? Promise.resolve(id) : commitOf(place, id)
    found.push(commit.then((marked) => (marked === undefined ? undefined : { name, commit: marked })))
  }
  return (await Promise.all(found)).filter((reference) => reference !== undefined)
}

/** One transaction: all or none. */
export const updateReferences = async (place: Workplace, changes: readonly ReferenceChange[]): Promise<void> => {
  for (const { name, from, to } of changes) {
    if (!isFullReferenceName(name)) throw invalid({ name: ['is invalid'] })
    for (const id of [from, to]) if (id !== undefined && !isObjectId(id)) throw notFound('Commit')
  }
  const lines = changes.map(({ name, from = noObject, to }) =>
    to !== undefined
      ? `update ${name}\0${to}\0${from}\0`
      : `${from === noObject ? 'verify' : 'delete'} ${name}\0${from}\0`,
  )
  try {
    await place.runner.run({
      directory: place.directory,
      arguments: ['update-ref', '--stdin', '-z'],
      input: lines,
      timeLimit: place.limits.writeTime,
    })
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error
    if (error.complaint.includes('nonexistent object')) throw notFound('Commit')
    if (/cannot lock ref|already exists|expected|Unable to create/.test(error.complaint)) {
      throw conflict('A reference has changed meanwhile')
    }
    throw error
  }
}
