import { notFound } from '../../kernel/errors.ts'
import type { FetchRequest } from '../git.ts'
import { GitProcessError } from './errors.ts'
import { isObjectId } from './object-id.ts'
import type { GitRuntime } from './runtime.ts'

/** See `Repository.fetchObjects`. Version 2 of the protocol serves commits that no reference points to. */
export const fetchObjects = async (
  { directory, runner, limits }: GitRuntime,
  { from, commit, signal }: FetchRequest,
): Promise<void> => {
  if (!isObjectId(commit)) throw notFound('Commit')
  try {
    await runner.run({
      directory,
      arguments: [
        'fetch',
        '--quiet',
        '--no-tags',
        '--no-write-fetch-head',
        '--no-recurse-submodules',
        '--',
        from,
        commit,
      ],
      settings: ['protocol.version=2', `safe.directory=${from}`],
      protocols: ['file'],
      timeout: limits.writeTimeout,
      signal,
    })
  } catch (error) {
    if (error instanceof GitProcessError && /not our ref|bad object/.test(error.stderr)) throw notFound('Commit')
    throw error
  }
}
