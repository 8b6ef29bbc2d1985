import { invalid } from '../../../kernel/errors.ts'
import type { ReferenceUpdate } from '../../../ports/git.ts'
import { isStorableText } from '../../../shared/text.ts'
import { createLineReader, type LineReader, ProtocolError } from './pkt-line.ts'

/** The start of a push: the references to change, and the objects that follow. */
export interface PushRequest {
  /** In the order of the client. Names are not checked. */
  readonly updates: readonly ReferenceUpdate[]
  readonly capabilities: ReadonlySet<string>
  /** Texts that the client has sent with `git push -o`. */
  readonly options: readonly string[]
  /** Undefined for a push without objects. */
  readonly pack: AsyncIterable<Uint8Array> | undefined
  /** Discards what was not read. */
  close(): Promise<void>
}

/** References of one push. */
const maxUpdates = 10_000

/** Options of one push, and characters of all together. */
const maxOptions = 100
const maxOptionsLength = 10_000

const nullId = '0'.repeat(40)
const toId = (id: string) => (id === nullId ? undefined : id)

const parseUpdate = (text: string): ReferenceUpdate => {
  const [, from, to, name] = /^([0-9a-f]{40}) ([0-9a-f]{40}) (.+)$/s.exec(text) ?? []
  if (from === undefined || to === undefined || name === undefined) {
    throw new ProtocolError('The request has a malformed command')
  }
  return { name, from: toId(from), to: toId(to) }
}

const readUpdates = async (lines: LineReader) => {
  const updates: ReferenceUpdate[] = []
  const names = new Set<string>()
  let capabilities: ReadonlySet<string> = new Set()
  for (let line = await lines.readLine(); line; line = await lines.readLine()) {
    const [command = '', options] = line.toString('utf8').replace(/\n$/, '').split('\0', 2)
    // The history of the server is complete, so it does not matter where that of the client ends.
    if (command.startsWith('shallow ')) continue
    if (options !== undefined) capabilities = new Set(options.trim().split(' '))
    const update = parseUpdate(command)
    updates.push(update)
    if (names.has(update.name))
      throw new ProtocolError(`The request changes ${update.name.slice(0, 100)} more than once`)
    names.add(update.name)
    if (updates.length > maxUpdates) throw new ProtocolError(`A push can change at most ${maxUpdates} references`)
  }
  return { updates, capabilities }
}

/** The options follow the commands (gitprotocol-pack, "push-options"). */
const readOptions = async (lines: LineReader): Promise<readonly string[]> => {
  const options: string[] = []
  let length = 0
  for (let line = await lines.readLine(); line; line = await lines.readLine()) {
    const option = line.toString('utf8').replace(/\n$/, '')
    options.push(option)
    length += option.length
    if (options.length > maxOptions || length > maxOptionsLength)
      throw new ProtocolError(`A push can have at most ${maxOptions} options with ${maxOptionsLength} characters`)
  }
  // The database stores no NUL.
  return options.filter((option) => isStorableText(option))
}

/**
 * Reads the commands of a push (gitprotocol-pack). The consumer reads the pack, and closes the request.
 *
 * @throws PlatformError `invalid` for a request that does not follow the protocol
 */
export const readPushRequest = async (body: AsyncIterable<Uint8Array>): Promise<PushRequest> => {
  const lines = createLineReader(body)
  try {
    const { updates, capabilities } = await readUpdates(lines)
    const options = capabilities.has('push-options') ? await readOptions(lines) : []
    const needsPack = updates.some(({ to }) => to !== undefined)
    const pack = needsPack ? await lines.readRest() : undefined
    return { updates, capabilities, options, pack, close: lines.close }
  } catch (error) {
    await lines.close()
    throw error instanceof ProtocolError ? invalid(error.message) : error
  }
}
