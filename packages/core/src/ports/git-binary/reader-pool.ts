import { PlatformError } from '../../kernel/errors.ts'
import { type Launcher, portClosed } from './child.ts'
import { gitEnvironment, gitOptions } from './environment.ts'
import type { GitLimits } from './limits.ts'
import { type ObjectInfo, type ObjectReader, objectReader, ReaderEnded, type StoredObject } from './object-reader.ts'

/** Lookups in the objects of one repository. Subjects are built of object ids only. */
export interface ObjectSource {
  info(subject: string): Promise<ObjectInfo | undefined>
  contents(subject: string, maximumBytes: number): Promise<StoredObject | undefined>
}

export interface ReaderPool {
  of(directory: string): ObjectSource
  /** Ends the process of this repository, if it has one. */
  release(directory: string): void
  close(): void
}

const attempts = 3

interface Entry {
  readonly reader: Promise<ObjectReader>
  /** Set once it runs. */
  running?: ObjectReader
}

/** Keeps a lookup process for each of the repositories asked last; an idle one makes room for a repository without. */
export const readerPool = (
  launcher: Launcher,
  limits: GitLimits,
  program: string,
  host: Readonly<Record<string, string>>,
): ReaderPool => {
  /** Least recently used first. */
  const entries = new Map<string, Entry>()
  /** Questions on their way, by repository. */
  const asking = new Map<string, number>()
  let roomWanted: (() => void)[] = []
  let closed = false

  const roomMayBe = () => {
    const waiting = roomWanted
    roomWanted = []
    for (const go of waiting) go()
  }

  const start = (directory: string): Entry => {
    const forget = () => {
      if (entries.get(directory) === entry) entries.delete(directory)
      roomMayBe()
    }
    const launch = async () => {
      const child = await launcher.launch({
        program,
        arguments: [...gitOptions(directory), 'cat-file', '--batch-command', '--buffer'],
        environment: gitEnvironment(host),
        input: true,
      })
      const reader = objectReader(child, limits, forget)
      entry.running = reader
      // Closed, or made to release the directory, while the process was starting.
      if (closed || entries.get(directory) !== entry) reader.close()
      return reader
    }
    const entry: Entry = { reader: launch() }
    entry.reader.catch(forget)
    return entry
  }

  const close = (directory: string) => {
    const entry = entries.get(directory)
    entries.delete(directory)
    entry?.running?.close()
  }

  const readerOf = async (directory: string): Promise<ObjectReader> => {
    for (;;) {
      if (closed) throw portClosed()
      const known = entries.get(directory)
      if (known !== undefined || entries.size < limits.readers) {
        const entry = known ?? start(directory)
        entries.delete(directory)
        entries.set(directory, entry)
        return entry.reader
      }
      const idle = [...entries.keys()].find((other) => !asking.has(other))
      if (idle !== undefined) close(idle)
      else await new Promise<void>((resolve) => roomWanted.push(resolve))
    }
  }

  const ask = async <T>(directory: string, question: (reader: ObjectReader) => Promise<T>): Promise<T> => {
    asking.set(directory, (asking.get(directory) ?? 0) + 1)
    try {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await question(await readerOf(directory))
        } catch (error) {
          if (!(error instanceof ReaderEnded)) throw error
          if (attempt === attempts) throw new PlatformError('unavailable', 'The repository could not be read')
        }
      }
    } finally {
      const left = (asking.get(directory) ?? 1) - 1
      if (left > 0) asking.set(directory, left)
      else {
        asking.delete(directory)
        roomMayBe()
      }
    }
  }

  return {
    of: (directory) => ({
      info: (subject) => ask(directory, (reader) => reader.info(subject)),
      contents: (subject, maximumBytes) => ask(directory, (reader) => reader.contents(subject, maximumBytes)),
    }),
    release: close,
    close: () => {
      closed = true
      for (const directory of [...entries.keys()]) close(directory)
      roomMayBe()
    },
  }
}
