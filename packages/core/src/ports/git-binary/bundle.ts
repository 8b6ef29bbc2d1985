import type { Readable } from 'node:stream'
import type { Abortable } from '../git.ts'
import { createOutputStream } from './output-stream.ts'
import type { GitRuntime } from './runtime.ts'

/** See `Repository.bundle`. */
export const createBundle = (
  { directory, runner, limits }: GitRuntime,
  { signal }: Abortable = {},
): Promise<Readable> =>
  createOutputStream(
    runner,
    {
      directory,
      arguments: ['bundle', 'create', '--quiet', '--version=2', '-', '--branches', '--tags'],
      timeout: limits.streamTimeout,
      signal,
    },
    limits,
    { startBytes: 1, maximumBytes: Number.POSITIVE_INFINITY },
  )
