import type { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Platform, StorageState, StoreState } from '@forgelet/core'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { CompletedRequest, MetricsSnapshot } from './measurements.ts'

/** Other methods count as `other`, so that clients cannot add label values. */
const labelledMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

const quantiles = [0.5, 0.99, 1] as const

const nanoseconds = 1e9

type EventLoopDelay = ReturnType<typeof monitorEventLoopDelay>

interface Sources {
  readonly version: string
  readonly worker: string | undefined
  readonly eventLoopDelay: EventLoopDelay
  readonly inFlight: () => number
}

const requestMetrics = (totals: Registry) => {
  const requests = new Counter({
    name: 'forgelet_http_requests_total',
    help: 'Requests answered, by method, route and status class.',
    labelNames: ['method', 'route', 'status'],
    registers: [totals],
  })
  const durations = new Histogram({
    name: 'forgelet_http_request_duration_seconds',
    help: 'Time from the start of a request to the last byte of its response.',
    labelNames: ['method', 'route'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [totals],
  })
  return ({ method: sent, route = 'none', status, seconds }: CompletedRequest) => {
    const method = labelledMethods.has(sent) ? sent : 'other'
    requests.inc({ method, route, status: `${Math.floor(status / 100)}xx` })
    durations.observe({ method, route }, seconds)
  }
}

const counter = (registry: Registry, name: string, help: string, value: () => number | Promise<number>) =>
  new Counter({
    name,
    help,
    registers: [registry],
    async collect() {
      const total = await value()
      this.reset()
      this.inc(total)
    },
  })

const gauge = (registry: Registry, name: string, help: string, value: () => number) =>
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(value())
    },
  })

const eventLoopGauge = (registry: Registry, delay: EventLoopDelay) =>
  new Gauge({
    name: 'forgelet_event_loop_delay_seconds',
    help: 'Event loop delay since the previous scrape, if less than five minutes ago; quantile 1 is the maximum.',
    labelNames: ['quantile'],
    registers: [registry],
    collect() {
      for (const quantile of quantiles) {
        // Node's measurement includes its own resolution of 10 ms.
        const seconds = delay.count ? delay.percentile(quantile * 100) / nanoseconds - 0.01 : 0
        this.set({ quantile: String(quantile) }, Math.max(0, seconds))
      }
      delay.reset()
    },
  })

/** The delivery of domain events to one process; nothing if its store delivers only the events of its own calls. */
const feedRegistry = async (platform: Platform, worker: string | undefined): Promise<Registry> => {
  const registry = new Registry()
  if (worker !== undefined) registry.setDefaultLabels({ worker })
  const events = (await platform.health().catch(() => undefined))?.store.events
  if (!events) return registry
  const set = (name: string, help: string, value: number) => new Gauge({ name, help, registers: [registry] }).set(value)
  set(
    'forgelet_events_connected',
    'Whether this process receives the domain events of all processes.',
    +events.connected,
  )
  const delay =
    'Time since the oldest domain event was committed that this process has not delivered; 0 if there is none.'
  set('forgelet_events_delay_seconds', delay, events.delaySeconds ?? 0)
  return registry
}

const addReplicaMetrics = (registry: Registry, { replicas }: StoreState) => {
  if (!replicas) return
  const byReplica = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: ['replica'], registers: [registry] })
  const up = byReplica('forgelet_replica_up', 'Whether the read replica can be used.')
  const lag = byReplica('forgelet_replica_lag_bytes', 'Log of the primary that the replica has not replayed.')
  for (const { name: replica, status, lagBytes } of replicas) {
    up.set({ replica }, status === 'down' ? 0 : 1)
    if (lagBytes !== null) lag.set({ replica }, lagBytes)
  }
}

const storageMetrics: Readonly<Record<keyof StorageState, readonly [name: string, help: string]>> = {
  databaseBytes: ['forgelet_database_bytes', 'Size of the data file, or of the PostgreSQL database.'],
  databaseLogBytes: ['forgelet_database_log_bytes', 'Size of the write-ahead log beside the data file.'],
  databaseFreeBytes: ['forgelet_database_free_bytes', 'Free space on the disk of the data file.'],
  repositoriesFreeBytes: ['forgelet_repositories_free_bytes', 'Free space on the disk of the repositories.'],
  repositoriesBytes: ['forgelet_repositories_bytes', 'Size of the repositories of all projects, as last measured.'],
  uploadsBytes: ['forgelet_uploads_bytes', 'Size of all uploaded files.'],
}

/** The size of a large database takes time, so it is read at most once a minute. In milliseconds. */
const storageInterval = 60_000

const createStorageReader = (platform: Platform) => {
  let read: { readonly at: number; readonly state: Promise<StorageState> } | undefined
  return () => {
    const now = performance.now()
    if (read === undefined || now - read.at > storageInterval) read = { at: now, state: platform.readStorage() }
    return read.state
  }
}

/**
 * The metrics that all processes on one database share. Only `forgelet_database_up` is present if the database does not
 * respond.
 */
const databaseRegistry = async (platform: Platform, readStorage: () => Promise<StorageState>): Promise<Registry> => {
  const registry = new Registry()
  const set = (name: string, help: string, value: number) => new Gauge({ name, help, registers: [registry] }).set(value)
  const help = 'Whether the database responds.'
  try {
    const { lanes, store } = await platform.health()
    set('forgelet_database_up', help, 1)
    const writable = 'Whether writes are accepted; 0 for a data file that is read-only or was deleted or replaced.'
    set('forgelet_database_writable', writable, platform.getWriteError() ? 0 : 1)
    const byLane = (name: string, help: string, ...labelNames: string[]) =>
      new Gauge({ name, help, labelNames: ['kind', ...labelNames], registers: [registry] })
    const states = byLane(
      'forgelet_jobs',
      'Jobs in the queue, by kind and state; a parked job has failed too often and is not retried.',
      'state',
    )
    const oldest = byLane(
      'forgelet_job_oldest_due_seconds',
      'Time since the oldest due job of the kind became due; 0 if no job is due.',
    )
    const concurrency = byLane('forgelet_job_concurrency', 'Jobs of the kind that one process runs at the same time.')
    for (const lane of lanes) {
      const { kind } = lane
      for (const state of ['waiting', 'running', 'parked'] as const) states.set({ kind, state }, lane[state])
      oldest.set({ kind }, lane.oldestDueSeconds ?? 0)
      concurrency.set({ kind }, lane.concurrency)
    }
    set('forgelet_migrations_pending', 'Migrations that have not run.', store.pending.length)
    addReplicaMetrics(registry, store)
    if (store.pending.length) return registry
    const storage = await readStorage()
    for (const [key, [name, text]] of Object.entries(storageMetrics)) {
      const bytes = storage[key as keyof StorageState]
      if (bytes !== null) set(name, text, bytes)
    }
  } catch {
    set('forgelet_database_up', help, 0)
  }
  return registry
}

/**
 * The registries of one process. They are separate from the global registry of `prom-client`, since a process can contain
 * several servers, and since the embedding application may use the global one.
 */
export const createRegistries = (platform: Platform, { version, worker, eventLoopDelay, inFlight }: Sources) => {
  const readStorage = createStorageReader(platform)
  const totals = new Registry()
  const gauges = new Registry()
  if (worker !== undefined) gauges.setDefaultLabels({ worker })

  const record = requestMetrics(totals)
  let busyRetries = 0
  counter(
    totals,
    'forgelet_database_busy_retries_total',
    'Writes that were retried because another process was writing.',
    async () => {
      busyRetries = (await platform.health().catch(() => undefined))?.store.busyRetries ?? busyRetries
      return busyRetries
    },
  )
  new Counter({
    name: 'forgelet_replica_reads_total',
    help: 'Reads that a read replica has answered.',
    labelNames: ['replica'],
    registers: [totals],
    async collect() {
      const replicas = (await platform.health().catch(() => undefined))?.store.replicas
      if (!replicas) return
      this.reset()
      for (const { name, reads } of replicas) this.inc({ replica: name }, reads)
    },
  })
  counter(totals, 'process_cpu_seconds_total', 'Total user and system CPU time.', () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  })

  const startedAt = Date.now() / 1_000 - process.uptime()
  gauge(gauges, 'forgelet_http_requests_in_flight', 'Requests in progress.', inFlight)
  eventLoopGauge(gauges, eventLoopDelay)
  gauge(gauges, 'process_resident_memory_bytes', 'Resident memory size.', () => process.memoryUsage.rss())
  gauge(gauges, 'nodejs_heap_used_bytes', 'Used size of the JavaScript heap.', () => process.memoryUsage().heapUsed)
  gauge(gauges, 'nodejs_heap_total_bytes', 'Total size of the JavaScript heap.', () => process.memoryUsage().heapTotal)
  gauge(gauges, 'process_start_time_seconds', 'Start time of the process since the Unix epoch.', () => startedAt)
  new Gauge({
    name: 'forgelet_build_info',
    help: 'Always 1; the labels are the running versions.',
    labelNames: ['version', 'node'],
    registers: [gauges],
  }).set({ version, node: process.versions.node }, 1)

  return {
    record,
    snapshot: async (): Promise<MetricsSnapshot> => ({
      totals: await totals.getMetricsAsJSON(),
      gauges: [
        ...(await gauges.getMetricsAsJSON()),
        ...(await (await feedRegistry(platform, worker)).getMetricsAsJSON()),
      ],
    }),
    text: async () => Registry.merge([totals, gauges, await feedRegistry(platform, worker)]).metrics(),
    databaseText: async () => (await databaseRegistry(platform, readStorage)).metrics(),
  }
}
