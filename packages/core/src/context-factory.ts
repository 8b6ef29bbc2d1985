import type { Signals } from './contract/signals.ts'
import { assertExternallyAuthorized, reactions } from './features.ts'
import type { Actor } from './kernel/actor.ts'
import { awaitAll } from './kernel/await-all.ts'
import type { Call } from './kernel/call.ts'
import type { Context } from './kernel/context.ts'
import { type Answers, getAnswer } from './kernel/external-answer.ts'
import { enqueue } from './kernel/jobs/queue.ts'
import type { Precondition } from './kernel/precondition.ts'
import type { Reaction } from './kernel/reaction.ts'
import { getContainerLocks, type Serialization } from './kernel/serialization.ts'
import type { Handle } from './kernel/store.ts'
import type { EmittedSignal } from './listeners.ts'

/** The parts of a context that belong to one call. */
export interface ContextInput {
  readonly handle: Handle
  readonly actor: Actor
  readonly call: Call
  /** The condition that the operation has to test. */
  readonly precondition?: Precondition | undefined
  /** The commands that the call excludes; undefined for queries and jobs. */
  readonly serializes?: Serialization | undefined
  /** The time of the call, ISO 8601. */
  readonly now: string
  /** What external services have answered in this call. */
  readonly answers: Answers
  /** Collects the signals that the call emits. They are published after the commit. */
  readonly signals: EmittedSignal[]
}

type ContextEnvironment = Pick<Context, 'ports' | 'tier' | 'apiVersion' | 'pipelinesOnPush' | 'passwordCost'>

/** Without `Map.groupBy`: this module can be evaluated before the check of the version of Node.js. */
const reactionsBySignal = new Map(
  reactions.map(({ signal }) => [signal, reactions.filter((reaction) => reaction.signal === signal)]),
)

/** Runs the reactions to one signal together: none reads what another one writes. */
const runReactions = async (registered: readonly Reaction[], ctx: Context, payload: Signals[keyof Signals]) => {
  await awaitAll(registered.map((reaction) => reaction.run(ctx, payload as never)))
}

/** Creates the context that operations, reactions and jobs receive. */
export const createContextFactory = ({
  ports,
  tier,
  apiVersion,
  pipelinesOnPush,
  passwordCost,
}: ContextEnvironment) => {
  const createContext = (input: ContextInput): Context => {
    const { handle, actor, answers, call, precondition, now, signals, serializes } = input
    let isLocked = false
    const ctx: Context = {
      ...handle,
      actor,
      call,
      precondition,
      now,
      ports,
      tier,
      apiVersion,
      pipelinesOnPush,
      passwordCost,
      lockContainer(container) {
        const locks = isLocked || !handle.lock ? [] : getContainerLocks(serializes, container)
        isLocked = true
        return locks.length ? handle.lock?.(locks) : undefined
      },
      ask: (key, question) => getAnswer(answers, key, question),
      assertAuthorized: (subject, ability) => assertExternallyAuthorized(ctx, subject, ability),
      actAs: (other) => createContext({ ...input, actor: other }),
      emit(name, payload) {
        signals.push({ name, payload } as EmittedSignal)
        handle.outbox?.push({ name, payload })
        const registered = reactionsBySignal.get(name)
        return registered && runReactions(registered, ctx, payload)
      },
      enqueue: (kind, payload, options) => enqueue(handle, ctx, kind, [{ ...options, payload }]),
      enqueueAll: (kind, jobs) => enqueue(handle, ctx, kind, jobs),
    }
    return ctx
  }
  return createContext
}
