import { formatWorkDuration } from '../../../shared/work-duration.ts'

/** Estimated and recorded work. */
export interface TimeStats {
  /** Estimated work in seconds; 0 for none. */
  timeEstimate: number
  /** Recorded work in seconds. */
  totalTimeSpent: number
  /** The estimate such as `3h 30m`, with days of 8 hours and weeks of 5 days; null for none. */
  humanTimeEstimate: string | null
  /** The recorded work such as `3h 30m`; null for none. */
  humanTotalTimeSpent: string | null
}

export const toTimeStats = ({
  timeEstimate,
  totalTimeSpent,
}: {
  readonly timeEstimate: number
  readonly totalTimeSpent: number
}): TimeStats => ({
  timeEstimate,
  totalTimeSpent,
  humanTimeEstimate: formatWorkDuration(timeEstimate) || null,
  humanTotalTimeSpent: formatWorkDuration(totalTimeSpent) || null,
})
