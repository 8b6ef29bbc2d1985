import type { Context } from '../../../kernel/context.ts'
import { isPlatformError, PlatformError } from '../../../kernel/errors.ts'
import type { Blob, BlobOptions, Repository } from '../../../ports/git.ts'

/** The bytes, and their Base64 in the result and in its JSON. */
const copies = 3

/** Waits for memory before the content of a file is read, which the call then holds as Base64. */
const reserveContent = ({ call: { memory } }: Pick<Context, 'call'>): BlobOptions =>
  memory ? { onSize: (bytes) => memory.reserve(copies * bytes) } : {}

/**
 * Reads a file that is returned as Base64.
 *
 * @throws PlatformError `unprocessable` for a file above the limit of the git port, by default 50 MiB
 */
export const readEncodableBlob = async (
  ctx: Pick<Context, 'call'>,
  repository: Repository | undefined,
  id: string,
): Promise<Blob | undefined> => {
  try {
    return await repository?.blob(id, reserveContent(ctx))
  } catch (error) {
    if (!isPlatformError(error) || error.reason !== 'too_large') throw error
    throw new PlatformError('unprocessable', `${error.message}: request it raw`, { reason: 'too_large' })
  }
}
