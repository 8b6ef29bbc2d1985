import type { Context } from '../../../kernel/context.ts'
import type { BlobOptions } from '../../../ports/git.ts'

/** The bytes, and their Base64 in the result and in its JSON. */
const copies = 3

/** Waits for memory before the content of a file is read, which the call then holds as Base64. */
export const reserveContent = ({ call: { memory } }: Pick<Context, 'call'>): BlobOptions =>
  memory ? { onSize: (bytes) => memory.reserve(copies * bytes) } : {}
