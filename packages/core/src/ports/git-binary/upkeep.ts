import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { conflict, invalid, notFound } from '../../kernel/errors.ts'
import type { GitLimits } from './limits.ts'
import { isReferenceName } from './reference-name.ts'
import type { Runner } from './run.ts'
import type { Workplace } from './workplace.ts'

const isThere = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

/** A bare repository has these, and nothing else looks like it. */
export const isRepository = async (directory: string): Promise<boolean> => {
  const parts = ['HEAD', 'objects', 'refs'].map((name) => isThere(join(directory, name)))
  return (await Promise.all(parts)).every(Boolean)
}

const mustBeFree = async (directory: string): Promise<void> => {
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  if (names.length > 0) throw conflict('The directory is not empty')
}

export const createRepository = async (
  runner: Runner,
  limits: GitLimits,
  directory: string,
  defaultBranch: string,
): Promise<void> => {
  if (!isReferenceName(defaultBranch)) throw invalid({ defaultBranch: ['is not a branch name'] })
  await mustBeFree(directory)
  await mkdir(directory, { recursive: true })
  await runner.run({
    arguments: [
      'init',
      '--quiet',
      '--bare',
      '--template=',
      '--object-format=sha1',
      `--initial-branch=${defaultBranch}`,
      '--',
      directory,
    ],
    timeLimit: limits.writeTime,
  })
}

/**
 * Takes along what branches and tags lead to and nothing else, by git's own transport: copying or borrowing files would open
 * every object of the source, hidden and forgotten ones too, to those who know an id.
 */
export const cloneRepository = async (
  runner: Runner,
  limits: GitLimits,
  source: string,
  directory: string,
): Promise<void> => {
  if (!(await isRepository(source))) throw notFound('Repository')
  await mustBeFree(directory)
  try {
    await runner.run({
      arguments: ['clone', '--quiet', '--bare', '--no-local', '--template=', '--', source, directory],
      protocols: ['file'],
      timeLimit: limits.writeTime,
    })
    await runner.run({
      directory,
      // It names the directory of the source.
      arguments: ['config', '--remove-section', 'remote.origin'],
      timeLimit: limits.writeTime,
    })
  } catch (error) {
    await rm(directory, { recursive: true, force: true })
    throw error
  }
}

export const repositorySize = async ({ directory, runner, limits }: Workplace): Promise<number> => {
  const { output } = await runner.run({
    directory,
    arguments: ['count-objects', '--verbose'],
    timeLimit: limits.readTime,
  })
  const kibibytes = output
    .toString('latin1')
    .split('\n')
    .filter((line) => /^size(-pack|-garbage)?: /.test(line))
    .reduce((sum, line) => sum + Number(line.split(' ')[1]), 0)
  return kibibytes * 1024
}

export const maintain = async ({ directory, runner, limits }: Workplace): Promise<void> => {
  await runner.run({
    directory,
    arguments: ['gc', '--quiet'],
    settings: ['gc.writeCommitGraph=true', 'core.commitGraph=true'],
    timeLimit: limits.maintainTime,
    long: true,
  })
}
