import type { Platform } from '@forgelet/core'
import { exposition, type Family } from './exposition.ts'
import { databaseFigures, storeFigures } from './platform-figures.ts'
import { processFigures } from './process-figures.ts'
import { type AnsweredRequest, requestFigures } from './request-figures.ts'

/** The figures of one server process. */
export interface Metrics {
  started(): void
  finished(request: AnsweredRequest): void
  /** What this process counts; figures of the database, which all processes share, are not among them. */
  own(): Promise<readonly Family[]>
  /** What a scrape gets. */
  text(): Promise<string>
  stop(): void
}

/**
 * Starts counting.
 *
 * @param gather the figures of all processes, where there are several; default: those of this one
 */
export const createMetrics = (
  platform: Platform,
  version: string,
  gather?: () => Promise<readonly Family[]>,
): Metrics => {
  const requests = requestFigures()
  const ofProcess = processFigures(version)
  const own = async () => [...requests.families(), ...(await storeFigures(platform)), ...ofProcess.families()]
  return {
    started: requests.started,
    finished: requests.finished,
    own,
    async text() {
      const [counted, shared] = await Promise.all([(gather ?? own)(), databaseFigures(platform)])
      return exposition([...counted, ...shared])
    },
    stop: ofProcess.stop,
  }
}
