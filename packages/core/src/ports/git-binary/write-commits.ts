import { randomBytes } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { conflict, invalid, notFound } from '../../kernel/errors.ts'
import type { NewCommit, NewTag, ReferenceUpdate, UpdateOptions } from '../git.ts'
import { GitProcessError } from './errors.ts'
import { assertValidCommits, formatSignature, generateImportStream, type PlannedCommit } from './import-stream.ts'
import { isObjectId } from './object-id.ts'
import { isReferenceName } from './reference-name.ts'
import { findBranchTip, updateReferences } from './references.ts'
import type { GitRuntime } from './runtime.ts'

/** References to imported commits until their branches are moved. Hidden from clients. */
export const importReferencePrefix = 'refs/forgelet/import/'

/**
 * Resolves the parents of each commit.
 *
 * @returns `tips` the current tip of each branch; `lastIndexes` the index of its last new commit
 */
const planCommits = async (runtime: GitRuntime, commits: readonly NewCommit[]) => {
  const tips = new Map<string, string | undefined>()
  const lastIndexes = new Map<string, number>()
  const planned: PlannedCommit[] = []
  for (const [index, commit] of commits.entries()) {
    const { branch } = commit
    if (!tips.has(branch)) tips.set(branch, await findBranchTip(runtime, branch))
    const previous = lastIndexes.get(branch) ?? tips.get(branch)
    planned.push({ commit, parents: commit.parents ?? (previous === undefined ? [] : [previous]) })
    lastIndexes.set(branch, index)
  }
  for (const parent of new Set(planned.flatMap(({ parents }) => parents))) {
    if (typeof parent === 'string' && (await runtime.objects.info(parent))?.type !== 'commit') throw notFound('Commit')
  }
  return { planned, tips, lastIndexes }
}

/** Whether `tip` is a direct parent of the planned commit or of its planned ancestors. Does not read the repository. */
const isBuiltOn = (planned: readonly PlannedCommit[], index: number, tip: string): boolean => {
  const pending = [index]
  const visited = new Set<number>()
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (visited.has(next)) continue
    visited.add(next)
    for (const parent of planned[next]?.parents ?? []) {
      if (parent === tip) return true
      if (typeof parent === 'number') pending.push(parent)
    }
  }
  return false
}

/** Also true when both commits are the same. */
export const isAncestor = async (
  runtime: GitRuntime,
  ancestor: string,
  commit: string,
  signal?: AbortSignal,
): Promise<boolean> => {
  const { code } = await runtime.runner.run({
    directory: runtime.directory,
    arguments: ['merge-base', '--is-ancestor', '--end-of-options', ancestor, commit],
    timeout: runtime.limits.readTimeout,
    expectedExitCodes: [1],
    signal,
  })
  return code === 0
}

/** `git fast-import` writes its last commands, including file contents, to a crash report in the repository. */
export const removeCrashReports = async (directory: string) => {
  const names = await readdir(directory).catch(() => [])
  const reports = names.filter((name) => name.startsWith('fast_import_crash_'))
  await Promise.all(reports.map((name) => rm(join(directory, name), { force: true })))
}

const importCommits = async (runtime: GitRuntime, planned: readonly PlannedCommit[], reference: string) => {
  try {
    const { output } = await runtime.runner.run({
      directory: runtime.directory,
      arguments: ['fast-import', '--quiet', '--done', '--date-format=raw'],
      input: generateImportStream(planned, reference),
      timeout: runtime.limits.writeTimeout,
    })
    const ids = output.toString('latin1').split('\n').filter(isObjectId)
    if (ids.length !== planned.length) {
      throw new GitProcessError('git fast-import', 0, `it printed ${ids.length} ids for ${planned.length} commits`)
    }
    return ids
  } catch (error) {
    await removeCrashReports(runtime.directory)
    // Only fast-import detects that the source of a move does not exist.
    if (error instanceof GitProcessError && /Path .* not in branch/.test(error.stderr)) {
      throw invalid({ movedFrom: ['is not a file in the parent commit'] })
    }
    throw error
  }
}

/**
 * See `Repository.writeCommits`. Imports the objects under a temporary reference. Then one transaction moves the branches from
 * the tips read before and removes the temporary reference.
 */
export const writeCommits = async (
  runtime: GitRuntime,
  commits: readonly NewCommit[],
  { beforeUpdate, force = false }: UpdateOptions = {},
): Promise<readonly string[]> => {
  assertValidCommits(commits)
  const { planned, tips, lastIndexes } = await planCommits(runtime, commits)
  const reference = `${importReferencePrefix}${randomBytes(8).toString('hex')}`
  const ids = await importCommits(runtime, planned, reference)
  const removal: ReferenceUpdate = { name: reference, from: ids.at(-1), to: undefined }
  const changes: ReferenceUpdate[] = []
  try {
    for (const [branch, tip] of tips) {
      const index = lastIndexes.get(branch) ?? 0
      const to = ids[index]
      const isFastForward =
        force || tip === undefined || isBuiltOn(planned, index, tip) || (to && (await isAncestor(runtime, tip, to)))
      if (!isFastForward)
        throw conflict(`The branch ${branch} would lose commits: the new commit is not a fast-forward`)
      changes.push({ name: `refs/heads/${branch}`, from: tip, to })
    }
    await beforeUpdate?.(changes)
    await updateReferences(runtime, [removal, ...changes])
  } catch (error) {
    await updateReferences(runtime, [removal]).catch(() => undefined)
    throw error
  }
  return ids
}

/** See `Repository.createTag`. */
export const createTag = async (
  runtime: GitRuntime,
  { name, commit, annotation }: NewTag,
  { beforeUpdate }: UpdateOptions = {},
): Promise<void> => {
  if (!isReferenceName(name)) throw invalid({ name: ['is invalid'] })
  if (!isObjectId(commit) || (await runtime.objects.info(commit))?.type !== 'commit') throw notFound('Commit')
  let target = commit
  if (annotation !== undefined) {
    const { message, tagger } = annotation
    if (message.includes('\0')) throw invalid({ message: ['is invalid'] })
    const text = `object ${commit}\ntype commit\ntag ${name}\ntagger ${formatSignature(tagger, 'tagger')}\n\n${message}`
    const { output } = await runtime.runner.run({
      directory: runtime.directory,
      arguments: ['mktag'],
      input: [text.endsWith('\n') ? text : `${text}\n`],
      timeout: runtime.limits.writeTimeout,
    })
    target = output.toString('latin1').trim()
  }
  const changes: readonly ReferenceUpdate[] = [{ name: `refs/tags/${name}`, from: undefined, to: target }]
  await beforeUpdate?.(changes)
  await updateReferences(runtime, changes)
}
