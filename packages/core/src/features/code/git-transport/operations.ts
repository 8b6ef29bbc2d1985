import { Readable } from 'node:stream'
import * as v from 'valibot'
import { project } from '../../../access/subjects.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import { type Actor, getSshKeyId } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { afterTransaction, type Deferred, type TransactionRunner } from '../../../kernel/deferred.ts'
import { forbidden, invalid } from '../../../kernel/errors.ts'
import { ByteStream } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { assertAbility, hasAbility } from '../../../policy/authorize.ts'
import type { Abortable, AdvertisementRequest, Repository } from '../../../ports/git.ts'
import { assertKeyAllowed } from '../../accounts/keys/key-input.ts'
import { isProtocolAllowed } from '../../accounts/namespaces/inherited-settings.ts'
import { getSettings } from '../../administration/settings/queries.ts'
import { readProjectSettings } from '../../spaces/projects/stored-settings.ts'
import { readCollaborationBranches } from '../repository/collaboration.ts'
import { ignoreUnavailable } from '../repository/contributor-page.ts'
import { countFetch, startsFetch } from '../repository/fetch-statistics.ts'
import { findGitRepository } from '../repository/queries.ts'
import { changeRepository, openOrCreateForWriting } from '../repository/writable-repository.ts'
import { assertLines, ProtocolError } from './pkt-line.ts'
import { type Push, receivePush } from './receive-push.ts'

const versionInput = {
  /** Version of the protocol that the client requests: 1 or 2. Default: 0. */
  protocolVersion: v.optional(v.picklist([1, 2])),
}

const bodyInput = {
  /** The request of the client, a stream of chunks in the format of git's HTTP protocol. */
  body: ByteStream,
}

const readScopes = { scopes: ['read_repository', 'write_repository', 'job_token'], allowsReadScope: false } as const
const writeScopes = { scopes: ['write_repository', 'job_token'], allowsReadScope: false } as const

/** Reads the request of a fetch. */
const readLines = async (chunks: AsyncIterable<Uint8Array>): Promise<readonly Uint8Array[]> => {
  const collected: Uint8Array[] = []
  for await (const chunk of chunks) collected.push(chunk)
  try {
    assertLines(Buffer.concat(collected))
  } catch (error) {
    throw error instanceof ProtocolError ? invalid(error.message) : error
  }
  return collected
}

/** Counts a fetch when its client names a wanted object; one that only lists references does not. */
async function* countFirstWant(chunks: AsyncIterable<Uint8Array>, count: () => Promise<unknown>) {
  let isCounted = false
  for await (const chunk of chunks) {
    if (!isCounted && startsFetch([chunk])) {
      isCounted = true
      await count().catch(ignoreUnavailable)
    }
    yield chunk
  }
}

const bytesPerMegabyte = 1024 ** 2

/** The options of git calls that end when the client disconnects. */
const getAbortable = (ctx: Context): Abortable => {
  const signal = ctx.call.signal?.()
  return signal ? { signal } : {}
}

/** Callers with an SSH key come over SSH, all others over HTTP. */
const assertProtocolAllowed = async (ctx: Context, namespaceId: number) => {
  const sshKeyId = getSshKeyId(ctx.actor)
  const protocol = sshKeyId === undefined ? 'http' : 'ssh'
  const { enabledGitAccessProtocol } = await getSettings(ctx)
  const isAllowed = [protocol, null].includes(enabledGitAccessProtocol)
  if (!isAllowed || !(await isProtocolAllowed(ctx, namespaceId, protocol)))
    throw forbidden(`Git access over ${protocol.toUpperCase()} is not allowed`)
  if (sshKeyId !== undefined) await assertKeyAllowed(ctx, sshKeyId)
}

/** Runs `work` with the repository of a project, after an empty one is created if there is none. */
const withRepository = async <T>(
  ctx: Context,
  { project }: Subjects['project'],
  work: (repository: Repository, abortable: Abortable, runner: TransactionRunner) => Promise<T>,
): Promise<Deferred<T>> => {
  await assertProtocolAllowed(ctx, project.namespaceId)
  const existing = await findGitRepository(ctx, project.id)
  const abortable = getAbortable(ctx)
  const { ports } = ctx
  return afterTransaction(async (runner) => {
    const create = () =>
      changeRepository({ ports, write: runner.write }, project.id, (writer) => openOrCreateForWriting(writer, project))
    return work(existing ?? (await create()), abortable, runner)
  })
}

const advertise = (
  ctx: Context,
  service: AdvertisementRequest['service'],
  protocolVersion: 1 | 2 | undefined,
  subject: Subjects['project'],
): Promise<Deferred<Readable>> =>
  withRepository(ctx, subject, (repository, abortable) =>
    repository.advertise({
      service,
      ...(protocolVersion && { protocolVersion }),
      showsMergeRequests: hasAbility(ctx.actor, subject, 'mergeRequest.list'),
      ...abortable,
    }),
  )

/**
 * The branches to which the current user may push; undefined for all. Members of the target project of a merge request may push
 * to its source branch, if its author allows it.
 *
 * @throws PlatformError `forbidden` for users who may push nowhere
 */
const readPushableBranches = async (ctx: Context, subject: Subjects['project']) => {
  if (hasAbility<'project'>(ctx.actor, subject, 'code.push')) return undefined
  const branches = await readCollaborationBranches(ctx, subject.project)
  if (branches.size === 0) assertAbility(ctx.actor, subject, 'code.push')
  return branches
}

/** Job tokens push only to the project of their job, and only if it permits that. */
const assertJobMayPush = async (ctx: Context, projectId: number) => {
  const job = ctx.actor.kind === 'user' ? ctx.actor.job : undefined
  if (job === undefined) return
  const { ciPushRepositoryForJobTokenAllowed } = await readProjectSettings(ctx, projectId)
  if (job.projectId !== projectId || !ciPushRepositoryForJobTokenAllowed)
    throw forbidden('You are not allowed to push code to this project with a job token')
}

/** Checks whether the current user may push, and reads what the push needs. */
const preparePush = async (
  ctx: Context,
  body: AsyncIterable<Uint8Array>,
  subject: Subjects['project'],
): Promise<Push> => {
  const { project } = subject
  await assertProtocolAllowed(ctx, project.namespaceId)
  const branches = await readPushableBranches(ctx, subject)
  await assertJobMayPush(ctx, project.id)
  const { signal } = getAbortable(ctx)
  const { receiveMaxInputSize } = await getSettings(ctx)
  return {
    project,
    branches,
    body,
    signal,
    userId: getPusherId(ctx.actor),
    maximumBytes: receiveMaxInputSize === 0 ? undefined : receiveMaxInputSize * bytesPerMegabyte,
  }
}

/** The user to whom a push is attributed. */
const getPusherId = (actor: Actor): number | null => {
  if (actor.kind === 'deployKey') return actor.creatorId
  return actor.kind === 'user' ? actor.id : null
}

async function* converse(advertisement: Readable, receive: () => Promise<Buffer>) {
  yield* advertisement
  yield await receive()
}

/** The server side of git's protocol, over HTTP and SSH. The streams of the results must be consumed or destroyed. */
export const gitTransport = {
  /**
   * Advertises the references and capabilities for a client that fetches, as a stream in git's protocol. Includes
   * `refs/merge-requests/:iid/head` and `/merge` for users who can see merge requests.
   */
  advertiseUploadPack: query({
    on: project,
    can: 'code.read',
    ...readScopes,
    input: versionInput,
    run: (ctx, { protocolVersion }, subject) => advertise(ctx, 'upload-pack', protocolVersion, subject),
  }),

  /**
   * Answers one request of a client that fetches, as a stream in git's protocol. The body is read into memory.
   *
   * @throws PlatformError `invalid` for a request that does not follow the protocol
   */
  uploadPack: query({
    on: project,
    can: 'code.read',
    ...readScopes,
    input: { ...bodyInput, ...versionInput },
    run: (ctx, { body, protocolVersion }, subject) =>
      withRepository(ctx, subject, async (repository, abortable, { write }) => {
        // The request arrives before git starts, so that a slow client does not occupy one of its processes.
        const input = await readLines(body)
        if (startsFetch(input)) await write((writer) => countFetch(writer, subject.project.id)).catch(ignoreUnavailable)
        const showsMergeRequests = hasAbility(ctx.actor, subject, 'mergeRequest.list')
        return repository.uploadPack({
          input,
          showsMergeRequests,
          ...(protocolVersion && { protocolVersion }),
          ...abortable,
        })
      }),
  }),

  /**
   * Serves a fetch over a connection that streams both ways, such as SSH: advertises the references, and answers the requests of the
   * client until its stream ends.
   */
  serveFetch: query({
    on: project,
    can: 'code.read',
    ...readScopes,
    input: {
      /** What the client sends, a stream of chunks in git's protocol. */
      body: ByteStream,
      ...versionInput,
    },
    run: (ctx, { body, protocolVersion }, subject) =>
      withRepository(ctx, subject, (repository, abortable, { write }) =>
        repository.uploadPack({
          input: countFirstWant(body, () => write((writer) => countFetch(writer, subject.project.id))),
          showsMergeRequests: hasAbility(ctx.actor, subject, 'mergeRequest.list'),
          ...(protocolVersion && { protocolVersion }),
          ...abortable,
        }),
      ),
  }),

  /** Advertises the references and capabilities for a client that pushes, as a stream in git's protocol. */
  advertiseReceivePack: query({
    on: project,
    can: 'code.pushToBranch',
    ...writeScopes,
    async run(ctx, _input, subject) {
      await readPushableBranches(ctx, subject)
      await assertJobMayPush(ctx, subject.project.id)
      return advertise(ctx, 'receive-pack', undefined, subject)
    },
  }),

  /**
   * Receives a push and returns the report for the client in git's protocol. References that cannot be changed are refused in the
   * report, each with its reason; the others are changed and recorded as pushes of the current user.
   *
   * @throws PlatformError `invalid` for a request that does not follow the protocol
   */
  receivePack: command({
    on: project,
    can: 'code.pushToBranch',
    ...writeScopes,
    serializes: 'project',
    input: bodyInput,
    async run(ctx, { body }, subject): Promise<Deferred<Uint8Array>> {
      const push = await preparePush(ctx, body, subject)
      const { ports } = ctx
      return afterTransaction(({ write }) => receivePush({ ports, write }, push))
    },
  }),

  /**
   * Serves a push over a connection that streams both ways, such as SSH: advertises the references, receives the push, and sends the
   * report. The stream fails with a PlatformError for a request that does not follow the protocol.
   */
  servePush: command({
    on: project,
    can: 'code.pushToBranch',
    ...writeScopes,
    input: {
      /** What the client sends, a stream of chunks in git's protocol. */
      body: ByteStream,
    },
    async run(ctx, { body }, subject): Promise<Deferred<Readable>> {
      const push = await preparePush(ctx, body, subject)
      const { ports } = ctx
      return withRepository(ctx, subject, async (repository, abortable, { write }) => {
        const advertisement = await repository.advertise({ service: 'receive-pack', ...abortable })
        return Readable.from(
          converse(advertisement, () => receivePush({ ports, write }, { ...push, isOpenEnded: true })),
        )
      })
    },
  }),
}
