import { invalid } from '../../../kernel/errors.ts'
import type { ReferenceUpdate, Repository } from '../../../ports/git.ts'
import { isFullReferenceName, isReservedName } from '../../../ports/git-binary/reference-name.ts'
import { defined } from '../../../shared/defined.ts'

/** Bytes before the pack: one line for each branch and tag. */
const maxHeaderBytes = 4 * 1024 ** 2
const signature = '# v2 git bundle'

const createBundleError = (message: string) => invalid(`The repository of the archive cannot be read: ${message}`)

const readReference = (line: string): ReferenceUpdate => {
  const [, to, name = ''] = /^([0-9a-f]{40}) (.*)$/.exec(line) ?? []
  if (to === undefined || !/^refs\/(?:heads|tags)\//.test(name) || !isFullReferenceName(name))
    throw createBundleError('it has a reference that is neither a branch nor a tag')
  if (isReservedName(name.replace(/^refs\/(?:heads|tags)\//, '')))
    throw createBundleError(`the name ${name.slice(0, 100)} is reserved`)
  return { name, from: undefined, to }
}

const parseHeader = (text: string): readonly ReferenceUpdate[] => {
  const [first, ...lines] = text.split('\n')
  if (first !== signature) throw createBundleError('it is not a git bundle of version 2')
  return lines.map(readReference)
}

/** Separates the header from the pack behind it, as gitformat-bundle describes. */
const splitBundle = async (bundle: AsyncIterable<Uint8Array>) => {
  const chunks = bundle[Symbol.asyncIterator]()
  let start = Buffer.alloc(0)
  for (;;) {
    const end = start.indexOf('\n\n')
    if (end >= 0) {
      const pack = async function* () {
        yield start.subarray(end + 2)
        yield* { [Symbol.asyncIterator]: () => chunks }
      }
      return { references: parseHeader(start.toString('utf8', 0, end)), pack: pack() }
    }
    const { value, done } = await chunks.next()
    if (done || start.length > maxHeaderBytes) throw createBundleError('its header has no end')
    start = Buffer.concat([start, value])
  }
}

export interface BundleOptions {
  readonly maximumBytes: number
  readonly signal: AbortSignal
}

/**
 * Adds the branches and tags of a bundle to an empty repository. Its objects are checked like those of a push.
 *
 * @throws PlatformError `invalid` for a damaged bundle, `unprocessable` for damaged objects
 */
export async function receiveBundle(
  repository: Repository,
  bundle: AsyncIterable<Uint8Array>,
  options: BundleOptions,
): Promise<void> {
  const { references, pack } = await splitBundle(bundle)
  const tips = [...new Set(references.map(({ to }) => defined(to)))]
  await repository.receiveObjects({ pack, tips, ...options })
  for (const { name, to } of references) {
    // git rejects such a branch, with a message for operators.
    if (name.startsWith('refs/heads/') && (await repository.commit(defined(to))) === undefined)
      throw createBundleError('a branch does not point to a commit')
  }
  await repository.updateReferences(references)
}
