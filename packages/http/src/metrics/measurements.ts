/** The measurements of one completed request. */
export interface CompletedRequest {
  readonly method: string
  /** The template of the route, which bounds the number of label values; undefined if no route matched. */
  readonly route: string | undefined
  readonly status: number
  readonly seconds: number
}

/** The metrics of one process in the JSON form of `prom-client`, for aggregation across processes. */
export interface MetricsSnapshot {
  /** Counters and histograms, which are summed. */
  readonly totals: readonly object[]
  /** Gauges, which keep one value per process under the label `worker`. */
  readonly gauges: readonly object[]
}
