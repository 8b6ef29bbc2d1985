/** The statuses of pipelines and jobs. Only hosts and seeds record `waiting_for_callback` and `canceling`. */
export const pipelineStatuses = [
  'created',
  'waiting_for_resource',
  'waiting_for_callback',
  'preparing',
  'pending',
  'running',
  'success',
  'failed',
  'canceling',
  'canceled',
  'skipped',
  'manual',
  'scheduled',
] as const

export type PipelineStatus = (typeof pipelineStatuses)[number]

/** Statuses after which a job or pipeline does not change without a request. */
const finalStatuses: readonly PipelineStatus[] = ['success', 'failed', 'canceled', 'skipped']

/** Statuses of jobs that can be canceled. */
export const cancelableStatuses: readonly PipelineStatus[] = [
  'created',
  'waiting_for_resource',
  'waiting_for_callback',
  'preparing',
  'pending',
  'running',
  'scheduled',
]

export const isFinal = (status: PipelineStatus): boolean => finalStatuses.includes(status)

export const isCancelable = (status: PipelineStatus): boolean => cancelableStatuses.includes(status)

/** Whether work can be in progress: a runner has the job or can take it. */
export const isActive = (status: PipelineStatus): boolean =>
  status === 'canceling' || (isCancelable(status) && status !== 'created')

/** The part of a job that determines the status of its stage and pipeline. */
export interface JobOutcome {
  readonly status: PipelineStatus
  /** Whether a failure of the job does not make the pipeline fail. */
  readonly allowFailure: boolean
}

/** A status, a failure that is allowed, or a manual job that nothing waits for. */
type Outcome = PipelineStatus | 'warning' | 'ignored'

const toOutcome = ({ status, allowFailure }: JobOutcome): Outcome => {
  if (!allowFailure) return status
  if (status === 'failed' || status === 'canceled') return 'warning'
  return status === 'manual' ? 'ignored' : status
}

/** The first entry that contains every outcome determines the status: the rules of GitLab for a stage or a pipeline. */
const uniform: readonly (readonly [status: PipelineStatus, outcomes: readonly Outcome[]])[] = [
  ['skipped', ['skipped', 'ignored']],
  ['success', ['success', 'skipped', 'warning', 'ignored']],
  ['created', ['created', 'warning', 'ignored']],
  ['preparing', ['preparing', 'warning', 'ignored']],
  ['canceled', ['canceled', 'success', 'skipped', 'warning', 'ignored']],
  ['pending', ['pending', 'created', 'skipped', 'warning', 'ignored']],
]

/** For all other combinations: the first entry with an outcome that occurs. Without one of them, a job has failed. */
const mixed: readonly (readonly [outcome: Outcome, status: PipelineStatus])[] = [
  ['canceling', 'canceling'],
  ['running', 'running'],
  ['pending', 'running'],
  ['waiting_for_resource', 'waiting_for_resource'],
  ['waiting_for_callback', 'waiting_for_callback'],
  ['manual', 'manual'],
  ['scheduled', 'scheduled'],
  ['preparing', 'preparing'],
  ['created', 'running'],
]

/** The status of a stage or pipeline with these jobs, without retried ones; undefined without jobs. */
export const composeStatus = (jobs: readonly JobOutcome[]): PipelineStatus | undefined => {
  if (jobs.length === 0) return undefined
  const outcomes = new Set(jobs.map(toOutcome))
  const only = (allowed: readonly Outcome[]) => [...outcomes].every((outcome) => allowed.includes(outcome))
  return (
    uniform.find(([, allowed]) => only(allowed))?.[0] ??
    mixed.find(([outcome]) => outcomes.has(outcome))?.[1] ??
    'failed'
  )
}
