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

/**
 * Starts measuring. `prom-client` takes longer to load than most other modules of the server: it is imported by the first
 * scrape or after 1,000 requests.
 */
export const createMetrics = (platform: Platform, { version, worker, gather }: MetricsOptions): Metrics => {
  const eventLoopDelay = monitorEventLoopDelay({ resolution: 10 })
  eventLoopDelay.enable()
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
    snapshot: async () => (await update()).snapshot(),
    async text() {
      const own = await update()
      return (await Promise.all([gather ? gather() : own.text(), own.databaseText()])).join('\n')
    },
    stop() {
      eventLoopDelay.disable()
    },
  }
}
