import { notFound } from '../../kernel/errors.ts'
import { type Child, lost, notRun } from './child.ts'
import { GitFailure, timeLimitReached, tooLarge } from './failures.ts'

export interface ObjectInfo {
  readonly id: string
  readonly type: string
  /** Bytes. */
  readonly size: number
}

export interface StoredObject extends ObjectInfo {
  readonly content: Buffer
}

/** The process ended under a question that it may not be to blame for: ask another one. */
export class ReaderEnded extends Error {
  override readonly name = 'ReaderEnded'
}

export interface ObjectReader {
  /** `subject` is built of an object id and nothing a user wrote. `undefined` when there is no such object. */
  info(subject: string): Promise<ObjectInfo | undefined>
  /** An object above `maximumBytes` is refused before it is read. */
  contents(subject: string, maximumBytes: number): Promise<StoredObject | undefined>
  close(): void
}

interface Question {
  /** Absent when only the kind and size are asked for. */
  readonly maximumBytes: number | undefined
  readonly resolve: (answer: StoredObject | undefined) => void
  readonly reject: (error: Error) => void
}

const lineFeed = 10
const nothing = Buffer.alloc(0)

/**
 * Asks one `git cat-file --batch-command --buffer` process: questions go in without waiting for one another, answers come
 * back in the same order, each a line `<id> <type> <size>` and, where asked for, the bytes and a line feed.
 */
export const objectReader = (
  child: Child,
  times: { readonly readTime: number; readonly idleTime: number },
  onEnd: () => void,
): ObjectReader => {
  const questions: Question[] = []
  let unread: Buffer = nothing
  let body: { readonly info: ObjectInfo; readonly parts: Buffer[]; missing: number } | undefined
  /** What is asked in one turn of the event loop goes out, and comes back, in one piece. */
  let unsent = ''
  let over = false

  const end = (reason?: Error) => {
    if (over) return
    over = true
    clearTimeout(patience)
    clearTimeout(boredom)
    child.kill()
    child.output.destroy()
    const [first, ...rest] = questions.splice(0)
    first?.reject(reason ?? new ReaderEnded())
    for (const question of rest) question.reject(new ReaderEnded())
    onEnd()
  }

  // Both are stopped by being rewound: setting a timer anew for each of many thousand answers would cost more than they do.
  const patience = setTimeout(() => questions.length && end(timeLimitReached()), times.readTime)
  const boredom = setTimeout(() => questions.length === 0 && end(), times.idleTime)
  patience.unref()
  boredom.unref()

  const answer = (found: StoredObject | undefined) => {
    questions.shift()?.resolve(found)
    if (questions.length > 0) return
    child.hold(false)
    boredom.refresh()
  }

  const readLine = (line: string) => {
    const [id = '', type = '', size = ''] = line.split(' ')
    const question = questions[0]
    if (question === undefined) return end()
    if (!/^[0-9]+$/.test(size)) return answer(undefined)
    const info = { id, type, size: Number(size) }
    if (question.maximumBytes === undefined) return answer({ ...info, content: nothing })
    if (info.size > question.maximumBytes) return end(tooLarge('The object'))
    body = { info, parts: [], missing: info.size + 1 }
  }

  const readBody = (chunk: Buffer, current: NonNullable<typeof body>) => {
    const part = chunk.subarray(0, current.missing)
    current.parts.push(part)
    current.missing -= part.length
    if (current.missing === 0) {
      body = undefined
      const [only, ...more] = current.parts
      const whole = more.length || !only ? Buffer.concat(current.parts) : only
      answer({ ...current.info, content: whole.subarray(0, current.info.size) })
    }
    return chunk.subarray(part.length)
  }

  child.output.on('data', (chunk: Buffer) => {
    patience.refresh()
    let rest = unread.length ? Buffer.concat([unread, chunk]) : chunk
    unread = nothing
    while (rest.length > 0 && !over) {
      if (body !== undefined) {
        rest = readBody(rest, body)
        continue
      }
      const stop = rest.indexOf(lineFeed)
      if (stop < 0) {
        unread = rest
        break
      }
      readLine(rest.toString('latin1', 0, stop))
      rest = rest.subarray(stop + 1)
    }
  })
  child.output.on('error', () => undefined)
  child.output.once('close', () => {
    if (over) return
    // The process says why, if it had a reason.
    void child.ended.then(({ code, complaint, failure }) => {
      if (failure !== undefined) end(failure === lost ? undefined : notRun(failure))
      else if (complaint.includes('not a git repository')) end(notFound('Repository'))
      else end(complaint ? new GitFailure('git cat-file', code, complaint) : undefined)
    })
  })

  const send = () => {
    if (!over) child.input?.write(`${unsent}flush\n`, 'latin1')
    unsent = ''
  }

  const ask = (line: string, maximumBytes: number | undefined) =>
    new Promise<StoredObject | undefined>((resolve, reject) => {
      if (over) return reject(new ReaderEnded())
      if (questions.length === 0) {
        child.hold(true)
        patience.refresh()
      }
      questions.push({ maximumBytes, resolve, reject })
      unsent += line
      if (unsent === line) process.nextTick(send)
    })

  return {
    info: (subject) => ask(`info ${subject}\n`, undefined),
    contents: (subject, maximumBytes) => ask(`contents ${subject}\n`, maximumBytes),
    close: () => end(),
  }
}
