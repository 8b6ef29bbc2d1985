import type { Platform, Vitals } from '@forgelet/core'
import { type Family, single } from './exposition.ts'

const job = ({ jobs }: Vitals): Family => ({
  name: 'forgelet_jobs',
  help: 'Jobs in the queue: waiting, running, and parked, which failed too often and need a look.',
  type: 'gauge',
  samples: [
    { labels: { state: 'waiting' }, value: jobs.waiting },
    { labels: { state: 'running' }, value: jobs.running },
    { labels: { state: 'parked' }, value: jobs.parked },
  ],
})

const up = (value: 0 | 1) => single('forgelet_database_up', 'gauge', 'Whether the database answers.', value)

/** What all processes on one database have in common. A database that does not answer is a figure too. */
export const databaseFigures = async (platform: Platform): Promise<readonly Family[]> => {
  try {
    const vitals = await platform.vitals()
    return [
      up(1),
      job(vitals),
      single(
        'forgelet_job_oldest_due_seconds',
        'gauge',
        'For how long the job that is due longest has been due; 0 where none is.',
        vitals.jobs.oldestDueSeconds ?? 0,
      ),
      single(
        'forgelet_migrations_pending',
        'gauge',
        'Changes of the schema that have not been made.',
        vitals.store.pending.length,
      ),
    ]
  } catch {
    return [up(0)]
  }
}

/** What each process counts for itself. */
export const storeFigures = async (platform: Platform): Promise<readonly Family[]> => {
  const retries = await platform.vitals().then(
    ({ store }) => store.busyRetries,
    () => undefined,
  )
  if (retries === undefined) return []
  const help = 'How often a write began anew because another process was writing.'
  return [single('forgelet_database_busy_retries_total', 'counter', help, retries)]
}
