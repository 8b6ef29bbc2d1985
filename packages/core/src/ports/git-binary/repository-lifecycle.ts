import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { conflict, invalid, notFound } from '../../kernel/errors.ts'
import type { Abortable } from '../git.ts'
import type { GitLimits } from './limits.ts'
import { isReferenceName } from './reference-name.ts'
import type { GitRunner } from './runner.ts'
import type { GitRuntime } from './runtime.ts'

const pathExists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

/** Tests for the entries that every bare repository has. */
export const isRepository = async (directory: string): Promise<boolean> => {
  const parts = ['HEAD', 'objects', 'refs'].map((name) => pathExists(join(directory, name)))
  return (await Promise.all(parts)).every(Boolean)
}

const assertEmptyDirectory = async (directory: string): Promise<void> => {
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  if (names.length > 0) throw conflict('The directory of the new repository is not empty')
}

export const createRepository = async (
  runner: GitRunner,
  limits: GitLimits,
  directory: string,
  defaultBranch: string,
): Promise<void> => {
  if (!isReferenceName(defaultBranch)) throw invalid({ defaultBranch: ['is not a branch name'] })
  await assertEmptyDirectory(directory)
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
    timeout: limits.writeTimeout,
  })
}

export const readObjectFormat = async ({ directory, runner, limits }: GitRuntime): Promise<string> => {
  const { output } = await runner.run({
    directory,
    arguments: ['rev-parse', '--show-object-format'],
    timeout: limits.readTimeout,
  })
  return output.toString('latin1').trim()
}

interface CloneRequest {
  readonly source: string
  readonly directory: string
  readonly allReferences: boolean
  readonly signal: AbortSignal | undefined
}

/**
 * Clones over git's file transport, which copies only objects reachable from branches and tags. Copied or shared object files
 * would make hidden and unreachable objects of the source readable by id.
 */
export const cloneRepository = async (
  runner: GitRunner,
  limits: GitLimits,
  { source, directory, allReferences, signal }: CloneRequest,
): Promise<void> => {
  if (!(await isRepository(source))) throw notFound('Repository')
  await assertEmptyDirectory(directory)
  try {
    await runner.run({
      arguments: [
        ...['clone', '--quiet', allReferences ? '--mirror' : '--bare', '--no-local', '--template='],
        ...['--', source, directory],
      ],
      protocols: ['file'],
      timeout: limits.writeTimeout,
      signal,
    })
    await runner.run({
      directory,
      // Contains the directory of the source.
      arguments: ['config', '--remove-section', 'remote.origin'],
      timeout: limits.writeTimeout,
    })
  } catch (error) {
    await rm(directory, { recursive: true, force: true })
    throw error
  }
}

export const measureRepository = async ({ directory, runner, limits }: GitRuntime): Promise<number> => {
  const { output } = await runner.run({
    directory,
    arguments: ['count-objects', '--verbose'],
    timeout: limits.readTimeout,
  })
  const kibibytes = output
    .toString('latin1')
    .split('\n')
    .filter((line) => /^size(-pack|-garbage)?: /.test(line))
    .reduce((sum, line) => sum + Number(line.split(' ')[1]), 0)
  return kibibytes * 1024
}

/** Findings about the format of an object, such as an unusual time zone, which git reads nevertheless. */
const isFormatFinding = (line: string) => /^(error|warning) in |^(warning|notice|hint):/.test(line)

export const findDamage = async (
  { directory, runner, limits }: GitRuntime,
  { signal }: Abortable = {},
): Promise<readonly string[]> => {
  const { code, output, stderr } = await runner.run({
    directory,
    arguments: ['fsck', '--no-dangling', '--no-progress'],
    timeout: limits.maintainTimeout,
    // A sum of flags, one for each kind of finding; 128 when git cannot read the repository at all.
    expectedExitCodes: Array.from({ length: 128 }, (_, index) => index + 1),
    isLongRunning: true,
    signal,
  })
  if (code === 0) return []
  return `${stderr}\n${output}`.split('\n').filter((line) => line.trim() !== '' && !isFormatFinding(line))
}

export const maintainRepository = async (
  { directory, runner, limits }: GitRuntime,
  { prune = false }: { readonly prune?: boolean } = {},
): Promise<void> => {
  await runner.run({
    directory,
    arguments: ['gc', '--quiet', ...(prune ? ['--prune=30.minutes.ago'] : [])],
    settings: ['gc.writeCommitGraph=true', 'core.commitGraph=true'],
    timeout: limits.maintainTimeout,
    isLongRunning: true,
  })
}
