import { AggregatorRegistry, Counter, Gauge, Registry } from 'prom-client'
import type { MetricsSnapshot } from './measurements.ts'

/** Adds the totals of two processes: of one that exited and of those that exited before it. */
export const sumTotals = (one: readonly object[], other: readonly object[]): Promise<readonly object[]> =>
  AggregatorRegistry.aggregate([one, other]).getMetricsAsJSON()

/**
 * The metrics of all workers as text. Their gauges differ in the label `worker`, so that only counters and histograms are
 * summed.
 */
export const aggregatedText = async (
  snapshots: readonly MetricsSnapshot[],
  exitedTotals: readonly object[],
  { workers, restarts }: { readonly workers: number; readonly restarts: number },
): Promise<string> => {
  const all = AggregatorRegistry.aggregate([
    exitedTotals,
    ...snapshots.flatMap(({ totals, gauges }) => [totals, gauges]),
  ])
  const own = new Registry()
  const registers = [own]
  new Gauge({ name: 'forgelet_workers', help: 'Worker processes.', registers }).set(workers)
  const help = 'Workers that exited unexpectedly and were replaced.'
  new Counter({ name: 'forgelet_worker_restarts_total', help, registers }).inc(restarts)
  return Registry.merge([all as Registry, own]).metrics()
}
