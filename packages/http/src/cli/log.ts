import { createRequire } from 'node:module'
import type { Logger } from '../server/app-options.ts'
import type { logLevels } from './options.ts'

type LogLevel = (typeof logLevels)[number]

export interface Log extends Logger {
  /** Writes buffered entries; call it before the process ends. */
  flush(): void
}

const ranks: Readonly<Record<LogLevel, number>> = {
  trace: 10,
  debug: 20,
  info: 30,
  warn: 40,
  error: 50,
  fatal: 60,
  silent: Number.POSITIVE_INFINITY,
}

/**
 * Writes one JSON line per entry to stderr. The first entry loads pino, so that it does not slow down the start.
 *
 * @param worker the number of the worker, a field of each line; undefined for a single process
 */
export const openLog = (level: LogLevel, worker?: number): Log => {
  const open = () => {
    const { pino } = createRequire(import.meta.url)('pino') as typeof import('pino')
    // Workers share one stderr: synchronous writes keep their lines apart.
    const destination = pino.destination({ fd: 2, sync: worker !== undefined })
    // The server continues when the reader of stderr has closed it (EPIPE).
    destination.on('error', () => undefined)
    const logger = pino(
      {
        level,
        base: worker === undefined ? null : { worker },
        timestamp: pino.stdTimeFunctions.isoTime,
        formatters: { level: (label) => ({ level: label }) },
      },
      destination,
    )
    return { logger, destination }
  }
  let opened: ReturnType<typeof open> | undefined
  const write = (at: 'info' | 'error') => (entry: object, message?: string) => {
    if (ranks[at] < ranks[level]) return
    opened ??= open()
    opened.logger[at](entry, message)
  }
  return { info: write('info'), error: write('error'), flush: () => opened?.destination.flushSync() }
}
