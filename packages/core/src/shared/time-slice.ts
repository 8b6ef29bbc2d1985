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
