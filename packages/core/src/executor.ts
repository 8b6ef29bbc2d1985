import { authenticate } from './access/authenticate.ts'
import { revokeFamily } from './access/token-family.ts'
import { recordTokenUse } from './access/token-use.ts'
import { findAuditEntry, runAudited } from './audit/run-audited.ts'
import type { ContextInput } from './context-factory.ts'
import type { Subjects } from './contract/subjects.ts'
import { runInSavepoint } from './db/savepoint.ts'
import type { Actor, Identity, UserActor } from './kernel/actor.ts'
import { createBackgroundWrites } from './kernel/background-writes.ts'
import type { Call } from './kernel/call.ts'
import type { Context } from './kernel/context.ts'
import { complete, type Deferred, type TransactionRunner } from './kernel/deferred.ts'
import { forbidden, invalidInput, isPlatformError, PlatformError } from './kernel/errors.ts'
import { type Answers, runWithAnswers } from './kernel/external-answer.ts'
import type { Operation } from './kernel/operation.ts'
import { parseInput } from './kernel/parse-input.ts'
import { assertTested, createPrecondition } from './kernel/precondition.ts'
import { consumeRateLimit } from './kernel/rate-limit.ts'
import { getUserLock } from './kernel/serialization.ts'
import { chain, type Handle, type MaybePromise, type Store, type WriteOptions } from './kernel/store.ts'
import type { EmittedSignal } from './listeners.ts'
import { assertAuthenticated, assertTokenScope, authorize } from './policy/authorize.ts'
import { leaveLongTurn } from './shared/time-slice.ts'

interface ExecutorOptions {
  readonly store: Store
  readonly tier: 'paid' | 'free'
  /** The current time, ISO 8601. */
  readonly now: () => string
  /** Migrates the database on first use. */
  readonly ready: () => MaybePromise<void>
  readonly createContext: (input: ContextInput) => Context
  /** Receives the signals of each committed call. */
  readonly publish: (signals: readonly EmittedSignal[]) => void
  /** Whether calls are recorded as audit events. */
  readonly isAudited: boolean
}

/** One call of an operation. */
interface Request<Out> {
  readonly identity: Identity
  readonly call: Call
  readonly operation: Operation<unknown, Out>
  /** The name of the operation's family, if it was called by name. */
  readonly family?: string | undefined
  readonly input: unknown
}

type Fields = Readonly<Record<string, unknown>>
type OperationLimit = NonNullable<Operation['limit']>

/** A call with valid input. */
interface Prepared<Out> extends Request<Out> {
  /** The time of the call, ISO 8601. */
  readonly time: string
  readonly fields: Fields
  readonly answers: Answers
}

/** A caller who passed all checks, with the subject that the checks loaded. */
interface Admission {
  readonly actor: Actor
  readonly subject: Subjects[keyof Subjects]
  readonly context: Context
  readonly signals: readonly EmittedSignal[]
}

export interface Executor {
  /** Runs an operation with all checks. */
  run<Out>(request: Request<Out>): Promise<Out>
  /** Reads and writes of an actor that passed the checks before, each in a transaction of its own. */
  transactions(actor: Actor, call: Call): TransactionRunner
  /** Resolves when the writes that no caller waits for have ended. */
  settle(): Promise<void>
}

const termsError = ({ username }: UserActor, siteUrl: string | undefined) =>
  forbidden(
    `You (@${username}) must accept the Terms of Service in order to perform this action. To accept these terms, please ` +
      `access GitLab from a web browser${siteUrl === undefined ? '' : ` at ${siteUrl}`}.`,
    'terms_not_accepted',
  )

/**
 * The only path of every call. Order of checks: authentication (401), token scope and tier (403), input (400), subject (404),
 * permission (403), then the operation itself (409, 422). Each call authenticates and loads its subject once.
 */
export const createExecutor = ({
  store,
  tier,
  now,
  ready,
  createContext,
  publish,
  isAudited,
}: ExecutorOptions): Executor => {
  const backgroundWrites = createBackgroundWrites(store)

  const run = async <Out>(request: Request<Out>): Promise<Out> => {
    try {
      return await runChecked(request)
    } catch (error) {
      const isReused = request.operation.endsTokenFamily && isPlatformError(error) && error.reason === 'revoked'
      if (isReused) await endTokenFamily(request)
      throw error
    }
  }

  const endTokenFamily = async ({ identity }: Request<unknown>) => {
    if (identity === null || !('token' in identity)) return
    await store.write((handle) => revokeFamily({ ...handle, now: now() }, { secret: identity.token }))
  }

  const runChecked = async <Out>(request: Request<Out>): Promise<Out> => {
    const { identity, operation } = request
    // Calls on SQLite wait for nothing: without this, a loop of them would block the event loop until it ends.
    const turn = leaveLongTurn()
    if (turn) await turn
    const preparation = ready()
    if (preparation) await preparation
    if (identity === null) assertAuthenticated(operation, request.input)
    const parsed = parseInput(operation, request.input, request.family)
    const time = now()
    if (parsed.problems) {
      // Invalid calls never take the write lock, but authentication errors come first.
      const actor = await store.read((handle) => authenticate(handle, identity, time))
      assertActorAllowed(actor, request)
      throw invalidInput(parsed.problems)
    }
    const prepared = { ...request, time, fields: parsed.input, answers: new Map() }
    const { limit } = operation
    return limit && isLimited(request, limit) ? runRateLimited(prepared, limit) : runOnce(prepared)
  }

  /** While writes are rejected, reads continue without being counted, and commands fail anyway. */
  const isLimited = ({ call, identity }: Request<unknown>, { anonymousOnly }: OperationLimit): boolean =>
    Boolean(call.isRateLimited) && !(anonymousOnly && identity !== null) && !store.getWriteError?.()

  /** The checks that need the actor, but no subject. */
  const assertActorAllowed = (actor: Actor, { call, operation, input }: Request<unknown>) => {
    call.observer?.onActor?.(actor)
    if (actor.kind === 'user' && actor.mustAcceptTerms && !operation.beforeTerms) throw termsError(actor, call.siteUrl)
    assertTokenScope(actor, operation, input)
    if (operation.tier === 'paid' && tier === 'free') {
      throw new PlatformError('not_licensed', 'This operation requires the paid tier')
    }
  }

  /** Authenticates the caller, loads the subject, checks the permission, then runs `work` on the same handle. */
  const admit = <T>(
    handle: Handle,
    request: Prepared<unknown>,
    work: (admission: Admission) => MaybePromise<T>,
  ): MaybePromise<T> =>
    chain(authenticate(handle, request.identity, request.time), (actor) => {
      assertActorAllowed(actor, request)
      const { answers, call, operation, fields, time } = request
      const { serializes } = operation
      const signals: EmittedSignal[] = []
      const precondition = operation.mode === 'command' ? createPrecondition(call) : undefined
      const context = createContext({ handle, actor, answers, call, precondition, now: time, signals, serializes })
      const locked = serializes === 'user' ? handle.lock?.([getUserLock(actor)]) : undefined
      return chain(locked, () =>
        chain(operation.load(context, fields), (subject) => {
          authorize(actor, operation, subject)
          return chain(context.assertAuthorized(subject, operation.can), () =>
            work({ actor, subject, context, signals }),
          )
        }),
      )
    })

  /** Runs the operation. A condition that it does not test makes it fail before anything is committed or deferred. */
  const runAdmitted = <Out>(
    { operation, fields }: Prepared<Out>,
    { context, subject }: Admission,
  ): MaybePromise<Out | Deferred<Out>> => {
    const entry = isAudited ? findAuditEntry(operation) : undefined
    const outcome = entry
      ? runAudited(entry, operation, { context, fields, subject })
      : operation.run(context, fields, subject)
    if (context.precondition === undefined) return outcome
    return chain(outcome, (result) => {
      assertTested(context)
      return result
    })
  }

  const runOnce = async <Out>(request: Prepared<Out>): Promise<Out> => {
    const { operation } = request
    let admission: Admission | undefined
    const work = (handle: Handle) =>
      admit(handle, request, (admitted) => {
        admission = admitted
        return runAdmitted(request, admitted)
      })
    const result = await runWithAnswers(async () =>
      operation.mode === 'query' ? store.read(work) : store.write(work, getWriteOptions(request)),
    )
    return finish(request, admission as unknown as Admission, result)
  }

  /**
   * Counts the call in the transaction that admits it. A command runs in a savepoint of that transaction, so that a failing
   * call is counted too; a query reads afterwards, with the actor and the subject that were admitted. While another process
   * holds the write lock, queries continue without being counted.
   */
  const runRateLimited = async <Out>(request: Prepared<Out>, limit: OperationLimit): Promise<Out> => {
    const { call, operation, fields, time } = request
    const isRead = operation.mode === 'query'
    const counting = runWithAnswers(async () =>
      store.write(
        (handle) =>
          admit(handle, request, async (admission) => {
            const { context, subject } = admission
            const counted = await countCall(limit, context, fields, subject)
            const runsNow = !isRead && !counted?.error
            const outcome = runsNow ? await runInSavepoint(handle, () => runAdmitted(request, admission)) : undefined
            return { admission, counted, outcome }
          }),
        { ...getWriteOptions(request), ...(isRead && { patience: readPatience }) },
      ),
    )
    if (isRead && (await isRejectedAsBusy(counting))) return runOnce(request)
    const { admission, counted, outcome } = await counting
    if (counted) call.observer?.onRateLimit?.(counted.state)
    if (counted?.error) throw counted.error
    if (!outcome) {
      const { actor, subject } = admission
      const { read } = transactions(actor, call, time)
      return finish(request, admission, await read((context) => operation.run(context, fields, subject)))
    }
    if ('error' in outcome) throw outcome.error
    return finish(request, admission, outcome.value)
  }

  const finish = <Out>(
    request: Prepared<Out>,
    { actor, signals }: Admission,
    result: Out | Deferred<Out>,
  ): Out | Promise<Out> => {
    publish(signals)
    const completed = () =>
      complete<Out>(result, () => ({
        read: transactions(actor, request.call, request.time).read,
        // Deferred work may have waited long for an external service: the caller may have lost the permission.
        write: (work) => writeAndPublish((handle, run) => admit(handle, request, run), work, getWriteOptions(request)),
      }))
    const recording = recordTokenUse(backgroundWrites, actor, request.time)
    return recording ? recording.then(completed) : completed()
  }

  const writeAndPublish = async <T>(
    enter: <R>(
      handle: Handle,
      run: (entered: Pick<Admission, 'context' | 'signals'>) => MaybePromise<R>,
    ) => MaybePromise<R>,
    work: (context: Context) => MaybePromise<T>,
    options?: WriteOptions,
  ): Promise<T> => {
    // A retried transaction emits its signals again: those of its last run are published.
    const { result, signals } = await runWithAnswers(async () =>
      store.write(
        (handle) => enter(handle, ({ context, signals }) => chain(work(context), (result) => ({ result, signals }))),
        options,
      ),
    )
    publish(signals)
    return result
  }

  const transactions = (actor: Actor, call: Call, time = now()): TransactionRunner => {
    const answers: Answers = new Map()
    const enter = (handle: Handle) => {
      const signals: EmittedSignal[] = []
      return { signals, context: createContext({ handle, actor, answers, call, now: time, signals }) }
    }
    return {
      read: (work) => runWithAnswers(async () => store.read((handle) => work(enter(handle).context))),
      write: (work) => writeAndPublish((handle, run) => run(enter(handle)), work),
    }
  }

  return { run, transactions, settle: backgroundWrites.settle }
}

/**
 * An operation takes the locks of its subject when it loads it; the instance, as a subject, is locked from the beginning. Commands of
 * one project share a queue. The field is the id or the path of the project, so calls with different forms of it wait in the database
 * only.
 */
const getWriteOptions = ({ operation: { serializes, kindOf }, fields }: Prepared<unknown>): WriteOptions => ({
  locks: serializes === 'instance' || (serializes === 'tree' && kindOf?.(fields) === 'instance') ? undefined : [],
  queue: serializes === 'project' && fields.project !== undefined ? `project ${String(fields.project)}` : undefined,
})

/** Milliseconds for which a read that is counted waits for a lock of another process. */
const readPatience = 250

const isRejectedAsBusy = (write: Promise<unknown>): Promise<boolean> =>
  write.then(
    () => false,
    (error: unknown) => isPlatformError(error) && error.code === 'unavailable',
  )

/** Counts one call; undefined if the operation has no limit at present. */
const countCall = async (limit: OperationLimit, context: Context, fields: Fields, subject: Admission['subject']) => {
  const maximum = await limit.getLimit(context)
  if (maximum === 0) return undefined
  const key = limit.getKey(context, fields, subject)
  await context.lock?.([{ name: `rate limit ${limit.name} ${key}` }])
  return consumeRateLimit(context, { name: limit.name, message: limit.message, limit: maximum, key })
}
