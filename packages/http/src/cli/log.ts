import { createRequire } from 'node:module'
import type { Logger } from '../app.ts'
import type { logLevels } from './options.ts'

type LogLevel = (typeof logLevels)[number]

export interface Log extends Logger {
  /** Brings out what is still on its way; before the process ends. */
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
 * One JSON line an entry on stderr. The library is loaded by the first entry, so that it does not slow
 * down the start.
 *
 * @param worker its number, where several processes serve: each line then says which wrote it
 */
export const openLog = (level: LogLevel, worker?: number): Log => {
  const open = () => {
    const { pino } = createRequire(import.meta.url)('pino') as typeof import('pino')
    // Several processes share one stderr: each of them writes a line at once, so that lines never mix.
    const destination = pino.destination({ fd: 2, sync: worker !== undefined })
    // Nobody reads any more: that is no reason to stop serving.
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
