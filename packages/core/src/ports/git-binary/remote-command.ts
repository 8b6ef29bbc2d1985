import { PlatformError } from '../../kernel/errors.ts'
import { maskCredentials } from '../../shared/mask-credentials.ts'
import { GitProcessError } from './errors.ts'
import type { RemoteConfig } from './remote-config.ts'
import type { GitRuntime } from './runtime.ts'

/** A remote repository, and until when commands for it run. */
export interface RemoteTarget {
  readonly config: RemoteConfig
  readonly deadline: number
  readonly signal: AbortSignal | undefined
}

/** Milliseconds. */
export const getRemainingTime = ({ deadline }: RemoteTarget) => Math.max(1, deadline - performance.now())

/** Messages of git and ssh. Without a terminal, git reports rejected credentials as the failure to ask for others. */
const rejectedCredentials = /Authentication failed|could not read (Username|Password)|Permission denied \(/

/** `text`: the output of git. Secrets and line breaks are removed; the message has at most 1,000 characters. */
export const remoteError = (text: string, { config }: RemoteTarget) => {
  if (rejectedCredentials.test(text)) {
    return new PlatformError('unprocessable', 'The remote repository rejected the credentials', {
      reason: 'credentials',
    })
  }
  const lines = maskCredentials(text, config.credentials).split('\n')
  const message = lines.flatMap((line) => line.trim() || []).join(' ')
  return new PlatformError('unprocessable', message.slice(0, 1000) || 'The remote repository cannot be accessed')
}

/** Runs a command that connects to a remote repository. */
export const runRemoteCommand = async (
  runtime: GitRuntime,
  remote: RemoteTarget,
  commandArguments: readonly string[],
  {
    expectedExitCodes = [],
    input,
  }: { readonly expectedExitCodes?: readonly number[]; readonly input?: readonly Uint8Array[] } = {},
) => {
  const { config, signal } = remote
  try {
    return await runtime.runner.run({
      directory: runtime.directory,
      arguments: commandArguments,
      settings: config.settings,
      environment: config.environment,
      protocols: [config.protocol],
      timeout: getRemainingTime(remote),
      isRemote: true,
      signal,
      expectedExitCodes,
      ...(input && { input }),
    })
  } catch (error) {
    throw error instanceof GitProcessError ? remoteError(error.stderr, remote) : error
  }
}
