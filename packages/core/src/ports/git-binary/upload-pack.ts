import type { Readable } from 'node:stream'
import { PlatformError } from '../../kernel/errors.ts'
import type { AdvertisementRequest, UploadPackRequest } from '../git.ts'
import { GitProcessError } from './errors.ts'
import { createOutputStream } from './output-stream.ts'
import type { GitRuntime } from './runtime.ts'

const hidden = 'transfer.hideRefs=refs/forgelet'
const hiddenMergeRequests = 'transfer.hideRefs=refs/merge-requests'

/** Partial clones request single objects by id. */
const getUploadSettings = ({ showsMergeRequests = true }: Pick<UploadPackRequest, 'showsMergeRequests'>) => [
  hidden,
  ...(showsMergeRequests ? [] : [hiddenMergeRequests]),
  'uploadpack.allowFilter=true',
  'uploadpack.allowAnySHA1InWant=true',
]

/**
 * Clients send options with `git push -o` only to servers that announce them. Nobody can push to the references of merge requests,
 * so that `git push --mirror` must not see them.
 */
const receiveSettings = [hidden, hiddenMergeRequests, 'receive.advertisePushOptions=true']

const toEnvironment = (version: 1 | 2 | undefined): Readonly<Record<string, string>> =>
  version === undefined ? {} : { GIT_PROTOCOL: `version=${version}` }

/** See `Repository.advertise`. The stream starts with the first byte: listing thousands of references takes time. */
export const advertise = (
  { directory, runner, limits }: GitRuntime,
  { service, protocolVersion, signal, ...visibility }: AdvertisementRequest,
): Promise<Readable> =>
  createOutputStream(
    runner,
    {
      directory,
      arguments: [service, '--stateless-rpc', '--http-backend-info-refs', directory],
      // Newer versions of git check the owner of the directory, although it is given explicitly.
      settings: [
        `safe.directory=${directory}`,
        ...(service === 'upload-pack' ? getUploadSettings(visibility) : receiveSettings),
      ],
      environment: toEnvironment(protocolVersion),
      timeout: limits.streamTimeout,
      signal,
    },
    limits,
    { startBytes: 1 },
  )

/** Messages of `git upload-pack` about requests that do not follow the protocol, or that name objects it has not. */
const clientMistakes = [
  /^fatal: git upload-pack: (?!.*(?:pack-objects|fork|corruption))/,
  /protocol error|remote end hung up unexpectedly|not our ref|unexpected line|expected (?:flush|to get)/,
  /(?:unknown|mismatched|invalid|unsupported) (?:capability|object format|object-format|command|shallow|want|ref|oid|agent)/i,
  /no command requested|command '[^']*' requested after|received '[^']*'/,
  /deepen|filter|shallow|sideband|wait-for-done|packfile-uris|object-info/,
]

const toClientError = (error: unknown): PlatformError | undefined => {
  if (!(error instanceof GitProcessError)) return undefined
  const line = error.stderr.trim().split('\n').at(-1) ?? ''
  if (!clientMistakes.some((pattern) => pattern.test(line))) return undefined
  const message = line.replace(/^(?:(?:fatal|error): )?(?:git )?(?:upload-pack: )?/, '').slice(0, 200)
  return new PlatformError('invalid', `The request does not follow git's protocol: ${message}`)
}

/** See `Repository.uploadPack`. The stream starts with the first byte, so that the client sees the progress of git. */
export const uploadPack = (
  { directory, runner, limits }: GitRuntime,
  { input, protocolVersion, signal, ...visibility }: UploadPackRequest,
): Promise<Readable> => {
  const isConversation = Symbol.asyncIterator in input
  return createOutputStream(
    runner,
    {
      directory,
      arguments: ['upload-pack', ...(isConversation ? [] : ['--stateless-rpc']), '--strict', directory],
      // A client that says nothing must not occupy a process that others wait for.
      isRemote: isConversation,
      settings: [`safe.directory=${directory}`, ...getUploadSettings(visibility)],
      environment: toEnvironment(protocolVersion),
      input,
      timeout: limits.streamTimeout,
      signal,
    },
    limits,
    { startBytes: 1, maximumBytes: Number.POSITIVE_INFINITY, toClientError },
  )
}
