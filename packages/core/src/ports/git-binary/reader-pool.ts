import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { PlatformError } from '../../kernel/errors.ts'
import { type Launcher, portClosedError } from './child-process.ts'
import { buildGitEnvironment, buildGitOptions } from './environment.ts'
import { DamagedRepositoryError } from './errors.ts'
import type { GitLimits } from './limits.ts'
import {
  createObjectReader,
  type ObjectInfo,
  type ObjectReader,
  ReaderExitedError,
  type StoredObject,
} from './object-reader.ts'

/** Reads the objects of one repository. Subjects must be built from object ids, not from user input. */
export interface ObjectLookup {
  info(subject: string): Promise<ObjectInfo | undefined>
  contents(subject: string, maximumBytes: number): Promise<StoredObject | undefined>
}

export interface ReaderPool {
  forRepository(directory: string): ObjectLookup
  /** Stops the process of a repository, if any. */
  release(directory: string): void
  close(): void
}

const maximumAttempts = 3

interface PoolEntry {
  readonly reader: Promise<ObjectReader>
  /** Set when the process runs. */
  startedReader?: ObjectReader
}

/** Keeps one lookup process for each recently used repository. At the limit, replaces the least recently used idle process. */
export const createReaderPool = (
  launcher: Launcher,
  limits: GitLimits,
  program: string,
  hostEnvironment: Readonly<Record<string, string>>,
): ReaderPool => {
  /** Least recently used first. */
  const entries = new Map<string, PoolEntry>()
  /** Number of pending lookups by directory. */
  const pendingLookups = new Map<string, number>()
  let waiting: (() => void)[] = []
  let closed = false

  const wakeWaiting = () => {
    const woken = waiting
    waiting = []
    for (const wake of woken) wake()
  }

  const start = (directory: string): PoolEntry => {
    const remove = () => {
      if (entries.get(directory) === entry) entries.delete(directory)
      wakeWaiting()
    }
    const launch = async () => {
      const child = await launcher.launch({
        program,
        arguments: [...buildGitOptions(directory), 'cat-file', '--batch-command', '--buffer'],
        environment: buildGitEnvironment(hostEnvironment),
        hasInput: true,
      })
      const reader = createObjectReader(child, limits, remove)
      entry.startedReader = reader
      // The pool was closed or the directory released while the process started.
      if (closed || entries.get(directory) !== entry) reader.close()
      return reader
    }
    const entry: PoolEntry = { reader: launch() }
    entry.reader.catch(remove)
    return entry
  }

  const close = (directory: string) => {
    const entry = entries.get(directory)
    entries.delete(directory)
    entry?.startedReader?.close()
  }

  const readerOf = async (directory: string): Promise<ObjectReader> => {
    for (;;) {
      if (closed) throw portClosedError()
      const existing = entries.get(directory)
      if (existing !== undefined || entries.size < limits.lookupProcesses) {
        const entry = existing ?? start(directory)
        entries.delete(directory)
        entries.set(directory, entry)
        return entry.reader
      }
      const idle = [...entries.keys()].find((other) => !pendingLookups.has(other))
      if (idle !== undefined) close(idle)
      else await new Promise<void>((resolve) => waiting.push(resolve))
    }
  }

  const lookUp = async <T>(directory: string, read: (reader: ObjectReader) => Promise<T>): Promise<T> => {
    pendingLookups.set(directory, (pendingLookups.get(directory) ?? 0) + 1)
    try {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await read(await readerOf(directory))
        } catch (error) {
          if (!(error instanceof ReaderExitedError)) throw error
          if (attempt === maximumAttempts) {
            throw new PlatformError('unavailable', `git cat-file ended unexpectedly ${maximumAttempts} times`)
          }
        }
      }
    } finally {
      const remaining = (pendingLookups.get(directory) ?? 1) - 1
      if (remaining > 0) pendingLookups.set(directory, remaining)
      else {
        pendingLookups.delete(directory)
        wakeWaiting()
      }
    }
  }

  /** git reports an object with an unreadable header as missing, but its file exists. */
  const findIntact = async <T>(
    directory: string,
    subject: string,
    find: (reader: ObjectReader) => Promise<T | undefined>,
  ): Promise<T | undefined> => {
    const found = await lookUp(directory, find)
    if (found !== undefined) return found
    const [id = ''] = subject.split('^')
    const file = join(directory, 'objects', id.slice(0, 2), id.slice(2))
    if (id.length < 40 || !existsSync(file)) return undefined
    // The object may have been written after the first lookup, or be of another type than the subject requires.
    if (subject !== id && (await lookUp(directory, (reader) => reader.info(id))) !== undefined) return undefined
    const second = await lookUp(directory, find)
    if (second === undefined) throw new DamagedRepositoryError(`the object ${file} is unreadable`)
    return second
  }

  return {
    forRepository: (directory) => ({
      info: (subject) => findIntact(directory, subject, (reader) => reader.info(subject)),
      contents: (subject, maximumBytes) =>
        findIntact(directory, subject, (reader) => reader.contents(subject, maximumBytes)),
    }),
    release: close,
    close: () => {
      closed = true
      for (const directory of [...entries.keys()]) close(directory)
      wakeWaiting()
    },
  }
}
