import { randomBytes } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { conflict, invalid, notFound } from '../../kernel/errors.ts'
import type { NewCommit, NewTag, ReferenceChange } from '../git.ts'
import { GitFailure } from './failures.ts'
import { checkCommits, importStream, type PlannedCommit, signatureLine } from './import-stream.ts'
import { isObjectId } from './object-id.ts'
import { isReferenceName } from './reference-name.ts'
import { branchTip, updateReferences } from './references.ts'
import type { Workplace } from './workplace.ts'

/** Where imported commits hang until their branches move; never shown to anybody. */
const importReferences = 'refs/forgelet/import/'

/** Gives every commit its parents, and tells where the branches stand now. */
const plan = async (place: Workplace, commits: readonly NewCommit[]) => {
  const tips = new Map<string, string | undefined>()
  const last = new Map<string, number>()
  const planned: PlannedCommit[] = []
  for (const [index, commit] of commits.entries()) {
    const { branch } = commit
    if (!tips.has(branch)) tips.set(branch, await branchTip(place, branch))
    const before = last.get(branch) ?? tips.get(branch)
    planned.push({ commit, parents: commit.parents ?? (before === undefined ? [] : [before]) })
    last.set(branch, index)
  }
  for (const parent of new Set(planned.flatMap(({ parents }) => parents))) {
    if (typeof parent === 'string' && (await place.objects.info(parent))?.type !== 'commit') throw notFound('Commit')
  }
  return { planned, tips, last }
}

/** Is one of the planned commits built on `tip`, as far as the list itself tells? */
const buildsOn = (planned: readonly PlannedCommit[], index: number, tip: string): boolean => {
  const pending = [index]
  const seen = new Set<number>()
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (seen.has(next)) continue
    seen.add(next)
    for (const parent of planned[next]?.parents ?? []) {
      if (parent === tip) return true
      if (typeof parent === 'number') pending.push(parent)
    }
  }
  return false
}

/** True when the first commit is the second or one of its ancestors. */
export const isAncestor = async (place: Workplace, ancestor: string, commit: string): Promise<boolean> => {
  const { code } = await place.runner.run({
    directory: place.directory,
    arguments: ['merge-base', '--is-ancestor', '--end-of-options', ancestor, commit],
    timeLimit: place.limits.readTime,
    codes: [1],
  })
  return code === 0
}

/** A failed import leaves a report of its last commands, contents of files among them. */
const removeCrashReports = async (directory: string) => {
  const names = await readdir(directory).catch(() => [])
  const reports = names.filter((name) => name.startsWith('fast_import_crash_'))
  await Promise.all(reports.map((name) => rm(join(directory, name), { force: true })))
}

const importCommits = async (place: Workplace, planned: readonly PlannedCommit[], reference: string) => {
  try {
    const { output } = await place.runner.run({
      directory: place.directory,
      arguments: ['fast-import', '--quiet', '--done', '--date-format=raw'],
      input: importStream(planned, reference),
      timeLimit: place.limits.writeTime,
    })
    const ids = output.toString('latin1').split('\n').filter(isObjectId)
    if (ids.length !== planned.length) throw new GitFailure('git fast-import', 0, 'an id is missing')
    return ids
  } catch (error) {
    await removeCrashReports(place.directory)
    // The one thing that cannot be seen before: whether a path to move is there.
    if (error instanceof GitFailure && /Path .* not in branch/.test(error.complaint)) {
      throw invalid({ movedFrom: ['is not a file of the commit before'] })
    }
    throw error
  }
}

/**
 * See `Repository.write`. Objects are imported first, under a reference of their own; then one transaction moves the
 * branches from where they were found and removes that reference.
 */
export const writeCommits = async (place: Workplace, commits: readonly NewCommit[]): Promise<readonly string[]> => {
  checkCommits(commits)
  const { planned, tips, last } = await plan(place, commits)
  const reference = `${importReferences}${randomBytes(8).toString('hex')}`
  const ids = await importCommits(place, planned, reference)
  const changes: ReferenceChange[] = [{ name: reference, from: ids.at(-1), to: undefined }]
  try {
    for (const [branch, tip] of tips) {
      const index = last.get(branch) ?? 0
      const to = ids[index]
      const keeps = tip === undefined || buildsOn(planned, index, tip) || (to && (await isAncestor(place, tip, to)))
      if (!keeps) throw conflict(`Commits of the branch ${branch} would be lost`)
      changes.push({ name: `refs/heads/${branch}`, from: tip, to })
    }
    await updateReferences(place, changes)
  } catch (error) {
    await updateReferences(place, changes.slice(0, 1)).catch(() => undefined)
    throw error
  }
  return ids
}

/** See `Repository.createTag`. */
export const createTag = async (place: Workplace, { name, commit, annotation }: NewTag): Promise<void> => {
  if (!isReferenceName(name)) throw invalid({ name: ['is invalid'] })
  if (!isObjectId(commit) || (await place.objects.info(commit))?.type !== 'commit') throw notFound('Commit')
  let marked = commit
  if (annotation !== undefined) {
    const { message, tagger } = annotation
    if (message.includes('\0')) throw invalid({ message: ['is invalid'] })
    const text = `object ${commit}\ntype commit\ntag ${name}\ntagger ${signatureLine(tagger, 'tagger')}\n\n${message}`
    const { output } = await place.runner.run({
      directory: place.directory,
      arguments: ['mktag'],
      input: [text.endsWith('\n') ? text : `${text}\n`],
      timeLimit: place.limits.writeTime,
    })
    marked = output.toString('latin1').trim()
  }
  await updateReferences(place, [{ name: `refs/tags/${name}`, from: undefined, to: marked }])
}
