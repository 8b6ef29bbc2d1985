/** A wait that another part of the program can end. A call of `wake` before the wait ends the next wait at once. */
export interface WakeUp {
  wake(): void
  /** Resolves after `wake`, or after so many milliseconds. */
  wait(milliseconds: number): Promise<void>
}

export const createWakeUp = (): WakeUp => {
  let isAwake = false
  let end: (() => void) | undefined
  return {
    wake() {
      isAwake = true
      end?.()
    },
    async wait(milliseconds) {
      if (!isAwake) {
        const { promise, resolve } = Promise.withResolvers<void>()
        end = resolve
        const timer = setTimeout(resolve, milliseconds)
        await promise
        clearTimeout(timer)
        end = undefined
      }
      isAwake = false
    },
  }
}
