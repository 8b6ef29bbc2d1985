import { setTimeout as pause } from 'node:timers/promises'
import { type Clock, PlatformError } from '@forgelet/core'
import { defined } from '@forgelet/core/operations'
import type { App, Middleware } from '../app/middleware.ts'
import type { Reply } from '../reply/reply.ts'
import type { IncomingRequest } from '../request/incoming-request.ts'
import { createFaultSchedule, type Fault, FaultSchema, type ParsedFault } from './fault.ts'
import { ConnectionCutError, createFaultReply, truncateReply } from './fault-reply.ts'
import { parseObject } from './invalid-value.ts'
import { createRequestMatcher, type RequestMatcher, resolveRequest } from './request-matcher.ts'

/** An active fault. */
export interface FaultHandle {
  /** For `remove` and the control plane. */
  readonly id: number
  /** The fault as passed to `add`. */
  readonly fault: Fault
  /** Number of matching requests. */
  readonly seen: number
  /** Number of requests hit. */
  readonly hit: number
  /** Removes the fault. Requests that it delays still wait. */
  remove(): void
  /** `remove()`, for `using`. */
  [Symbol.dispose](): void
}

/** The faults of a world. */
export interface Faults {
  /**
   * Adds a fault. If several faults hit a request, the one added first takes effect.
   *
   * @throws PlatformError `invalid_input` if the fault is invalid or has no effect
   */
  add(fault: Fault): FaultHandle
  /** All active faults, in the order in which they were added. */
  readonly all: readonly FaultHandle[]
  /** Removes a fault; false if the id is unknown. */
  remove(id: number): boolean
  /** Removes all faults; delayed requests continue at once. */
  clear(): void
}

/** A header of all replies affected by a fault; its value is the id of the fault. */
export const faultHeader = 'X-Forgelet-Fault'

interface ActiveFault extends FaultHandle {
  seen: number
  hit: number
  readonly options: ParsedFault
  readonly matches: RequestMatcher
  readonly isHit: () => boolean
}

const parseFault = (fault: Fault): ParsedFault => {
  const parsed = parseObject('fault', FaultSchema, fault)
  const { status, body, delay, cut, rateLimit } = parsed
  if ([status, body, delay, cut, rateLimit].every((effect) => effect === undefined)) {
    const message = 'set at least one of status, body, delay, cut and rateLimit'
    throw new PlatformError('invalid_input', `fault: ${message}`, { problems: [{ fields: ['fault'], message }] })
  }
  return parsed
}

/** The first fault that hits the request. All matching faults before it count the request. */
const findHit = (active: readonly ActiveFault[], { method, target }: IncomingRequest): ActiveFault | undefined => {
  const resolved = resolveRequest(method, target)
  for (const fault of active) {
    if (!fault.matches(resolved)) continue
    fault.seen += 1
    if (!fault.isHit()) continue
    fault.hit += 1
    return fault
  }
  return undefined
}

/** Creates the faults of a world, and the middleware that injects them. */
export function createFaults(clock: Clock): { readonly faults: Faults; readonly middleware: Middleware } {
  const active: ActiveFault[] = []
  let count = 0
  let delays = new AbortController()

  const remove = (id: number) => {
    const index = active.findIndex((fault) => fault.id === id)
    if (index >= 0) active.splice(index, 1)
    return index >= 0
  }

  const faults: Faults = {
    add(fault) {
      const options = parseFault(fault)
      count += 1
      const id = count
      const handle: ActiveFault = {
        id,
        fault,
        seen: 0,
        hit: 0,
        options,
        matches: createRequestMatcher(options.on),
        isHit: createFaultSchedule(options),
        remove: () => void remove(id),
        [Symbol.dispose]: () => void remove(id),
      }
      active.push(handle)
      return handle
    },
    get all() {
      return [...active]
    },
    remove,
    clear() {
      active.length = 0
      delays.abort()
      delays = new AbortController()
    },
  }

  const injectFault = async (request: IncomingRequest, next: App, { id, options }: ActiveFault): Promise<Reply> => {
    const { delay, phase, cut } = options
    if (delay) await pause(delay, undefined, { signal: delays.signal }).catch(() => undefined)
    const faultReply = createFaultReply(options, clock.now())
    const isProcessed = phase === 'after' || (faultReply === undefined && cut !== 'connection')
    const appReply = isProcessed ? await next(request) : undefined
    if (cut === 'connection') throw new ConnectionCutError(id)
    const base = faultReply ?? defined(appReply)
    const reply = {
      ...base,
      log: appReply?.log,
      headers: { ...base.headers, ...options.headers, [faultHeader]: String(id) },
    }
    return cut === 'body' ? truncateReply(reply, id) : reply
  }

  return {
    faults,
    middleware: (next) => async (request) => {
      const fault = active.length ? findHit(active, request) : undefined
      return fault ? injectFault(request, next, fault) : next(request)
    },
  }
}
