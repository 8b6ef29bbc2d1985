import { existsSync, readFileSync } from 'node:fs'
import { totalCpuSeconds } from '../bench/cpu-time.ts'

/** CPU seconds of this process and of its ended child processes, including their descendants. */
const ownCpuSeconds = (): number => {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? []
  // utime, stime, cutime and cstime, in ticks of 10 ms.
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100
}

/**
 * Measures the load of other processes. The returned function gives the cores that they used on average since the start, or
 * null without `/proc`. All child processes must have ended by then.
 */
export const startLoadMeter = (): (() => number | null) => {
  if (!existsSync('/proc/self/stat')) return () => null
  const start = performance.now()
  const [total, own] = [totalCpuSeconds(), ownCpuSeconds()]
  return () => {
    const others = totalCpuSeconds() - total - (ownCpuSeconds() - own)
    return Math.max(0, others) / ((performance.now() - start) / 1_000)
  }
}
