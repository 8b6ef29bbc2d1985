import { setTimeout as pause } from 'node:timers/promises'
import { type Clock, PlatformError } from '@forgelet/core'
import { safeParse } from 'valibot'
import type { Ask, Layer } from '../app.ts'
import type { Reply } from '../reply.ts'
import { type AddressTest, addressOf, addressTest } from './address-pattern.ts'
import { type Fault, FaultSchema, type ReadFault, schedule } from './fault.ts'
import { brokenOff, ConnectionCut, ownReply } from './fault-reply.ts'

/** One trouble that is under way. */
export interface FaultHandle {
  /** Its number, as `remove` and the control plane take it. */
  readonly id: number
  /** What it does, as it was given. */
  readonly fault: Fault
  /** How many requests it was about. */
  readonly seen: number
  /** How many of them it hit. */
  readonly hit: number
  /** Ends it; requests that it delays go on at once. */
  remove(): void
  /** `remove()`, for `using`. */
  [Symbol.dispose](): void
}

/** The troubles of one world. */
export interface Faults {
  /**
   * From now on requests that fit are hit. Of several faults the one that was added first decides.
   *
   * @throws PlatformError `invalid_input` when the fault cannot be read or does nothing
   */
  add(fault: Fault): FaultHandle
  /** Those under way, in the order in which they were added. */
  readonly all: readonly FaultHandle[]
  /** Removes one; false when there is none with this id. */
  remove(id: number): boolean
  /** Removes all of them; requests that are being delayed go on at once. */
  clear(): void
}

/** The header of every reply that a fault had to do with. */
export const faultHeader = 'X-Forgelet-Fault'

interface Active extends FaultHandle {
  seen: number
  hit: number
  readonly read: ReadFault
  readonly fits: AddressTest
  readonly isHit: () => boolean
}

const readFault = (fault: Fault): ReadFault => {
  const parsed = safeParse(FaultSchema, fault)
  const complain = (message: string, field: string) =>
    new PlatformError('invalid_input', `fault: ${message}`, { problems: [{ fields: [field], message }] })
  if (!parsed.success) {
    const [issue] = parsed.issues
    const field = issue.path?.map(({ key }) => String(key)).join('.') ?? 'fault'
    throw complain(`${field}: ${issue.message}`, field)
  }
  const { status, body, delay, cut, rateLimit } = parsed.output
  if ([status, body, delay, cut, rateLimit].every((one) => one === undefined)) {
    throw complain('give one of status, body, delay, cut and rateLimit', 'fault')
  }
  return parsed.output
}

/** Faults, and the layer that makes them happen. */
export function faultLayer(clock: Clock): { readonly faults: Faults; readonly layer: Layer } {
  const active: Active[] = []
  let count = 0
  let waiting = new AbortController()

  const remove = (id: number) => {
    const at = active.findIndex((one) => one.id === id)
    if (at >= 0) active.splice(at, 1)
    return at >= 0
  }

  const faults: Faults = {
    add(fault) {
      const read = readFault(fault)
      count += 1
      const id = count
      const handle: Active = {
        id,
        fault,
        seen: 0,
        hit: 0,
        read,
        fits: addressTest(read.on),
        isHit: schedule(read),
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
      waiting.abort()
      waiting = new AbortController()
    },
  }

  /** The fault that hits a request. Every one that it fits counts it, up to the first that hits. */
  const hitting = ({ method, target }: Ask): Active | undefined => {
    const address = addressOf(method, target)
    for (const one of active) {
      if (!one.fits(address)) continue
      one.seen += 1
      if (!one.isHit()) continue
      one.hit += 1
      return one
    }
    return undefined
  }

  const disturbed = async (ask: Ask, next: (ask: Ask) => Promise<Reply>, { id, read }: Active): Promise<Reply> => {
    if (read.delay) await pause(read.delay, undefined, { signal: waiting.signal }).catch(() => undefined)
    const own = ownReply(read, clock.now())
    const passes = read.phase === 'after' || (own === undefined && read.cut !== 'connection')
    const real = passes ? await next(ask) : undefined
    if (read.cut === 'connection') throw new ConnectionCut(id)
    const answered = own ?? (real as Reply)
    const reply = { ...answered, headers: { ...answered.headers, ...read.headers, [faultHeader]: String(id) } }
    return read.cut === 'body' ? brokenOff(reply, id) : reply
  }

  return {
    faults,
    layer: (next) => async (ask) => {
      const found = active.length ? hitting(ask) : undefined
      return found ? disturbed(ask, next, found) : next(ask)
    },
  }
}
