import { Readable } from 'node:stream'
import { tooMuchContent } from '../reply/error-replies.ts'
import type { Reply } from '../reply/reply.ts'
import type { RequestMemory } from './memory-budget.ts'

/** Bytes of a reply that are not counted. */
const smallReply = 64 * 1024

/** Milliseconds without progress after which a client that has requested much content is disconnected. */
export const stalledTimeout = 60_000

/**
 * Counts a large reply until it is sent, or refuses it while too many others wait for their clients.
 *
 * @returns the reply to send, and whether it was large: its client must make progress within `stalledTimeout`
 */
export const limitReply = (
  reply: Reply,
  memory: RequestMemory,
): { readonly reply: Reply; readonly isLarge: boolean } => {
  const { bytes } = reply
  const held = reply.heldBytes ?? (bytes === undefined || bytes instanceof Readable ? 0 : bytes.length)
  if (held <= smallReply) return { reply, isLarge: false }
  if (memory.admit(held)) return { reply, isLarge: true }
  if (bytes instanceof Readable) bytes.destroy()
  return { reply: { ...tooMuchContent, log: reply.log }, isLarge: true }
}
