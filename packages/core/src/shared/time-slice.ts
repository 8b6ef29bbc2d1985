import { setImmediate as schedule } from 'node:timers'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'

/** Maximum duration of work, in milliseconds, before it yields to the event loop. */
const timeSliceMs = 10

/**
 * Creates a function for long loops: it yields to the event loop when a time slice has passed since the last yield. Work that
 * awaits only promises which are already settled, such as those of SQLite, would otherwise block all other work.
 */
export const createTimeSlice = (): (() => Promise<void> | undefined) => {
  let sliceStart = performance.now()
  return () => {
    if (performance.now() - sliceStart < timeSliceMs) return undefined
    return yieldToEventLoop().then(() => {
      sliceStart = performance.now()
    })
  }
}

/** When the current turn of the event loop began, as far as this module has seen it. */
let turnStart: number | undefined

/** Work that waits for a turn with time left, in the order in which it began to wait. */
const waiting: (() => void)[] = []

const endTurn = () => {
  turnStart = undefined
}

/** Whether the turn has time left. */
const hasTime = (): boolean => {
  const now = performance.now()
  if (turnStart === undefined) {
    turnStart = now
    schedule(endTurn)
  }
  return now - turnStart < timeSliceMs
}

const startNext = () => {
  if (hasTime()) waiting.shift()?.()
  else schedule(startNext)
}

/** Yields to the event loop until a turn has time left. */
export const leaveTurn = (): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve)
    schedule(startNext)
  })

/**
 * Yields to the event loop if the work of this turn has taken longer than a time slice. Unlike with `createTimeSlice`, all work
 * of the process shares the slice: twelve calls that each take less would otherwise block it twelve times as long.
 */
export const leaveLongTurn = (): Promise<void> | undefined => (hasTime() ? undefined : leaveTurn())
