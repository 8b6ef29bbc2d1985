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

/** Requests that are buffered until `prom-client` is loaded; the last of them loads it. */
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
  let record = (request: CompletedRequest) => {
    if (backlog.push(request) === backlogLimit) void load()
  }

  const open = async () => {
    const { createRegistries } = await import('./registries.ts')
    const registries = createRegistries(platform, { version, worker, eventLoopDelay, inFlight: () => inFlight })
    record = registries.record
    backlog.forEach(record)
    return registries
  }
  let registries: ReturnType<typeof open> | undefined
  const load = () => {
    registries ??= open()
    return registries
  }

  return {
    started() {
      inFlight += 1
    },
    finished(request) {
      inFlight -= 1
      record(request)
    },
    snapshot: async () => (await load()).snapshot(),
    async text() {
      const own = await load()
      return (await Promise.all([gather ? gather() : own.text(), own.databaseText()])).join('\n')
    },
    stop() {
      eventLoopDelay.disable()
    },
  }
}
