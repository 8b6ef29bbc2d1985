import { type ChildProcess, helperLost, processStartError } from './child-process.ts'
import { createProcessError, timeLimitError, tooLargeError } from './errors.ts'

export interface ObjectInfo {
  readonly id: string
  readonly type: string
  /** Bytes. */
  readonly size: number
}

export interface StoredObject extends ObjectInfo {
  readonly content: Buffer
}

/** The process ended before it answered a request that did not cause the exit. The request can be retried. */
export class ReaderExitedError extends Error {
  override readonly name = 'ReaderExitedError'
}

export interface ObjectReader {
  /** `subject` must be built from an object id, not from user input. `undefined` when the object does not exist. */
  info(subject: string): Promise<ObjectInfo | undefined>
  /** Throws for an object above `maximumBytes` before reading it. */
  contents(subject: string, maximumBytes: number): Promise<StoredObject | undefined>
  close(): void
}

interface PendingLookup {
  /** Undefined for a request of type and size only. */
  readonly maximumBytes: number | undefined
  readonly resolve: (answer: StoredObject | undefined) => void
  readonly reject: (error: Error) => void
}

const lineFeed = 10
const emptyBuffer = Buffer.alloc(0)

/**
 * Reads objects with one `git cat-file --batch-command --buffer` process. Requests are pipelined; responses have the same order.
 * Each response is a line `<id> <type> <size>`, followed by the content and a line feed if requested.
 */
export const createObjectReader = (
  child: ChildProcess,
  times: { readonly readTimeout: number; readonly idleTimeout: number },
  onEnd: () => void,
): ObjectReader => {
  const pending: PendingLookup[] = []
  let unread: Buffer = emptyBuffer
  let body: { readonly info: ObjectInfo; readonly parts: Buffer[]; missing: number } | undefined
  /** The requests of the current turn of the event loop, which are written together. */
  let unsent = ''
  let ended = false

  const end = (reason?: Error) => {
    if (ended) return
    ended = true
    clearTimeout(readTimer)
    clearTimeout(idleTimer)
    child.kill()
    child.stdout.destroy()
    const [first, ...rest] = pending.splice(0)
    first?.reject(reason ?? new ReaderExitedError())
    for (const lookup of rest) lookup.reject(new ReaderExitedError())
    onEnd()
  }

  // `refresh` restarts a timer; creating new timers for many thousand responses would be slower.
  const readTimer = setTimeout(() => pending.length && end(timeLimitError()), times.readTimeout)
  const idleTimer = setTimeout(() => pending.length === 0 && end(), times.idleTimeout)
  readTimer.unref()
  idleTimer.unref()

  const resolveNext = (object: StoredObject | undefined) => {
    pending.shift()?.resolve(object)
    if (pending.length > 0) return
    child.setReferenced(false)
    idleTimer.refresh()
  }

  const readLine = (line: string) => {
    const [id = '', type = '', size = ''] = line.split(' ')
    const lookup = pending[0]
    if (lookup === undefined) return end()
    if (!/^[0-9]+$/.test(size)) return resolveNext(undefined)
    const info = { id, type, size: Number(size) }
    if (lookup.maximumBytes === undefined) return resolveNext({ ...info, content: emptyBuffer })
    if (info.size > lookup.maximumBytes) return end(tooLargeError('The object'))
    body = { info, parts: [], missing: info.size + 1 }
  }

  const readBody = (chunk: Buffer, current: NonNullable<typeof body>) => {
    const part = chunk.subarray(0, current.missing)
    current.parts.push(part)
    current.missing -= part.length
    if (current.missing === 0) {
      body = undefined
      const [only, ...more] = current.parts
      const bytes = more.length || !only ? Buffer.concat(current.parts) : only
      resolveNext({ ...current.info, content: bytes.subarray(0, current.info.size) })
    }
    return chunk.subarray(part.length)
  }

  child.stdout.on('data', (chunk: Buffer) => {
    readTimer.refresh()
    let rest = unread.length ? Buffer.concat([unread, chunk]) : chunk
    unread = emptyBuffer
    while (rest.length > 0 && !ended) {
      if (body !== undefined) {
        rest = readBody(rest, body)
        continue
      }
      const lineEnd = rest.indexOf(lineFeed)
      if (lineEnd < 0) {
        unread = rest
        break
      }
      readLine(rest.toString('latin1', 0, lineEnd))
      rest = rest.subarray(lineEnd + 1)
    }
  })
  child.stdout.on('error', () => undefined)
  child.stdout.once('close', () => {
    if (ended) return
    void child.exit.then(({ code, stderr, errorCode }) => {
      if (errorCode !== undefined) end(errorCode === helperLost ? undefined : processStartError(errorCode))
      else end(stderr ? createProcessError('git cat-file', code, stderr) : undefined)
    })
  })

  const send = () => {
    if (!ended) child.stdin?.write(`${unsent}flush\n`, 'latin1')
    unsent = ''
  }

  const request = (line: string, maximumBytes: number | undefined) =>
    new Promise<StoredObject | undefined>((resolve, reject) => {
      if (ended) return reject(new ReaderExitedError())
      if (pending.length === 0) {
        child.setReferenced(true)
        readTimer.refresh()
      }
      pending.push({ maximumBytes, resolve, reject })
      unsent += line
      if (unsent === line) process.nextTick(send)
    })

  return {
    info: (subject) => request(`info ${subject}\n`, undefined),
    contents: (subject, maximumBytes) => request(`contents ${subject}\n`, maximumBytes),
    close: () => end(),
  }
}
