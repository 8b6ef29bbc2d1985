import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Platform } from '@forgelet/core'
import type { CompletedRequest, MetricsSnapshot } from './measurements.ts'

/** The metrics of one server process. */
export interface Metrics {
  started(): void
  finished(request: CompletedRequest): void
  /** The metrics of this process, without those of the database, which all processes share. */
  snapshot(): Promise<MetricsSnapshot>
  /** The response to a scrape, in the Prometheus text format. */
  text(): Promise<string>
  stop(): void
}

export interface MetricsOptions {
  /** The version of Forgelet, a label of `forgelet_build_info`. */
  readonly version: string
  /** The value of the label `worker` of gauges; undefined for a single process. */
  readonly worker?: string | undefined
  /** Collects the metrics of all processes as text; default: those of this process. */
  readonly gather?: (() => Promise<string>) | undefined
}

/** `Registry.PROMETHEUS_CONTENT_TYPE` of `prom-client`, which is not loaded before the first scrape. */
export const metricsContentType = 'text/plain; version=0.0.4; charset=utf-8'

/** Requests that are recorded together, which costs a fraction of recording each one between other work. */
const backlogLimit = 1_000

/** Without a scrape for this long, the event loop is no longer measured; milliseconds. */
const measuringTime = 300_000

/**
 * Measures the event loop delay between scrapes. The measurement wakes the process every 10 ms, so it starts with the first
 * scrape and ends when there are no more scrapes.
 */
const createDelayMeasurement = () => {
  const delay = monitorEventLoopDelay({ resolution: 10 })
  const stop = () => delay.disable()
  let timeout: NodeJS.Timeout | undefined
  return {
    delay,
    stop,
    onScrape() {
      // Without the reset, the time without measurement would count as a delay.
      if (delay.enable()) delay.reset()
      clearTimeout(timeout)
      timeout = setTimeout(stop, measuringTime).unref()
    },
  }
}

/**
 * Starts measuring. `prom-client` takes longer to load than most other modules of the server: it is imported by the first
 * scrape or after 1,000 requests.
 */
export const createMetrics = (platform: Platform, { version, worker, gather }: MetricsOptions): Metrics => {
  const { delay: eventLoopDelay, stop, onScrape } = createDelayMeasurement()
  const backlog: CompletedRequest[] = []
  let inFlight = 0

  const open = async () => {
    const { createRegistries } = await import('./registries.ts')
    return createRegistries(platform, { version, worker, eventLoopDelay, inFlight: () => inFlight })
  }
  let opening: ReturnType<typeof open> | undefined
  /** The registries, with all requests so far. */
  const update = async () => {
    opening ??= open()
    const registries = await opening
    backlog.splice(0).forEach(registries.record)
    return registries
  }

  return {
    started() {
      inFlight += 1
    },
    finished(request) {
      inFlight -= 1
      if (backlog.push(request) === backlogLimit) void update()
    },
    async snapshot() {
      onScrape()
      return (await update()).snapshot()
    },
    async text() {
      onScrape()
      const own = await update()
      return (await Promise.all([gather ? gather() : own.text(), own.databaseText()])).join('\n')
    },
    stop,
  }
}
