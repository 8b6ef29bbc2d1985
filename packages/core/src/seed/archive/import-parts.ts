import { setImmediate } from 'node:timers/promises'
import type { ArchivePlatform, JoinedTransaction } from './archive-platform.ts'

/** Steps of one transaction, and milliseconds after which it ends: other writers wait that long. */
const maxSteps = 50
const maxDuration = 50

interface Part {
  readonly joined: JoinedTransaction
  readonly startedAt: number
  steps: number
  commit(): Promise<void>
  rollBack(error: unknown): Promise<void>
}

/** Opens a transaction that stays open until `commit` or `rollBack`. */
const openPart = (inTransaction: ArchivePlatform['inTransaction']): Promise<Part> => {
  const opened = Promise.withResolvers<Part>()
  const ended = Promise.withResolvers<void>()
  let isOpen = false
  const done = inTransaction((joined) => {
    // The store would repeat a transaction without the work that was done in it.
    if (isOpen) throw new Error('A part of an import cannot be repeated')
    isOpen = true
    opened.resolve({
      joined,
      startedAt: performance.now(),
      steps: 0,
      commit() {
        ended.resolve()
        return done
      },
      rollBack(error) {
        ended.reject(error)
        return done
      },
    })
    return ended.promise
  })
  done.catch(opened.reject)
  return opened.promise
}

/** Work in several transactions, one after another. Requests run in between. */
export const createParts = (inTransaction: ArchivePlatform['inTransaction'], signal: AbortSignal) => {
  let part: Part | undefined
  const current = () => {
    if (part === undefined) throw new Error('No part of the import is open')
    return part
  }
  const commit = async () => {
    const ending = current()
    part = undefined
    await ending.commit()
  }
  return {
    current: () => current().joined,
    async endStep() {
      const open = current()
      open.steps += 1
      if (open.steps < maxSteps && performance.now() - open.startedAt < maxDuration) return
      await commit()
      await setImmediate(undefined, { signal })
      part = await openPart(inTransaction)
    },
    async run(work: () => Promise<void>) {
      part = await openPart(inTransaction)
      try {
        await work()
      } catch (error) {
        // An error of a commit leaves no open part.
        await part?.rollBack(error)
        throw error
      }
      await commit()
    },
  }
}
