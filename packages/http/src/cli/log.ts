import { createRequire } from 'node:module'
import type { Logger } from '../app/app-options.ts'
import type { logLevels } from './options.ts'
import { createPrettyStream } from './pretty-log.ts'

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

interface LogOptions {
  /** The number of the worker, a field of each entry; undefined for a single process. */
  readonly worker?: number | undefined
  /** `pretty`: lines for people instead of JSON. */
  readonly format?: 'json' | 'pretty'
}

/**
 * Writes one line per entry to stderr. The first entry loads pino, so that it does not slow down the start.
 */
export const openLog = (level: LogLevel, { worker, format = 'json' }: LogOptions = {}): Log => {
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
      format === 'pretty' ? createPrettyStream(destination) : destination,
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
