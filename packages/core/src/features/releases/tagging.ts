import { PlatformError } from '../../kernel/errors.ts'
import { pushRecordOf, statePushes } from '../repository/stated-pushes.ts'
import { existingForWriting, type Workshop } from '../repository/writable-repository.ts'

interface Wanted {
  readonly projectId: number
  readonly tag: string
  /** A branch, a tag or a commit that a tag which is not there yet is to mark. */
  readonly ref: string | undefined
  readonly message: string | undefined
  /** Who makes the tag, and when. */
  readonly tagger: { readonly id: number; readonly name: string; readonly email: string; readonly date: string }
}

/**
 * The commit that a tag marks; the tag is made where there is none, and that is a push.
 *
 * @throws PlatformError `unprocessable` when there is no such tag and nothing for it to mark
 */
export async function taggedCommit(
  workshop: Workshop,
  { projectId, tag, ref, message, tagger }: Wanted,
): Promise<string> {
  const repository = await existingForWriting(workshop, projectId)
  const known = await repository?.tag(tag)
  if (known !== undefined) return known
  if (ref === undefined) throw new PlatformError('unprocessable', 'Ref is not specified')
  const commit = await repository?.resolve(ref)
  if (repository === undefined || commit === undefined) {
    throw new PlatformError('unprocessable', `Failed to create tag: Target ${ref.slice(0, 100)} is invalid`)
  }
  const { id, ...person } = tagger
  await repository.createTag({
    name: tag,
    commit,
    ...(message !== undefined && message !== '' && { annotation: { message, tagger: person } }),
  })
  const push = await pushRecordOf(repository, { ref: `refs/tags/${tag}`, before: null, after: commit })
  await workshop.write((ctx) => statePushes(ctx, projectId, id, [push]))
  return commit
}
