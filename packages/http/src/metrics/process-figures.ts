import { monitorEventLoopDelay } from 'node:perf_hooks'
import { type Family, single } from './exposition.ts'

const nanoseconds = 1e9

/** Figures of the process itself: memory, processor time, and for how long the event loop was held up. */
export const processFigures = (version: string) => {
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  const startedAt = Date.now() / 1_000 - process.uptime()

  return {
    /** Each time from the time before on: a long delay shows once and does not stay. */
    families(): readonly Family[] {
      const { rss, heapUsed, heapTotal } = process.memoryUsage()
      const { user, system } = process.cpuUsage()
      const quantiles = [50, 99, 100].map((percent) => ({
        labels: { quantile: String(percent / 100) },
        // The resolution itself is part of what is measured.
        value: Math.max(0, (delay.count ? delay.percentile(percent) : 0) / nanoseconds - 0.01),
      }))
      delay.reset()
      return [
        {
          name: 'forgelet_event_loop_delay_seconds',
          help: 'For how long the event loop was held up since the last time this was asked; quantile 1 is the longest.',
          type: 'gauge',
          samples: quantiles,
        },
        single('process_resident_memory_bytes', 'gauge', 'Memory that the process holds.', rss),
        single('nodejs_heap_used_bytes', 'gauge', 'Memory of JavaScript objects.', heapUsed),
        single('nodejs_heap_total_bytes', 'gauge', 'Memory reserved for JavaScript objects.', heapTotal),
        single('process_cpu_seconds_total', 'counter', 'Processor time spent.', (user + system) / 1e6),
        single('process_start_time_seconds', 'gauge', 'When the process was started, since 1970.', startedAt),
        {
          name: 'forgelet_build_info',
          help: 'Always 1; the labels say which versions run.',
          type: 'gauge',
          samples: [{ labels: { version, node: process.versions.node }, value: 1 }],
        },
      ]
    },
    stop(): void {
      delay.disable()
    },
  }
}
