import { PlatformError } from '../../../kernel/errors.ts'
import { resolveName } from '../../code/repository/opened-repository.ts'
import { changeReferences } from '../../code/repository/reference-changes.ts'
import type { RepositoryWriter } from '../../code/repository/repository-lock.ts'
import { changeRepository, openForWriting } from '../../code/repository/writable-repository.ts'

interface TagRequest {
  readonly projectId: number
  readonly defaultBranch: string
  readonly tag: string
  /** The branch, tag or commit that a new tag points to. */
  readonly ref: string | undefined
  readonly message: string | undefined
  /** The author of a new tag. `date`: ISO 8601. */
  readonly tagger: { readonly id: number; readonly name: string; readonly email: string; readonly date: string }
}

const createMissingTag = async (
  writer: RepositoryWriter,
  { projectId, defaultBranch, tag, ref, message, tagger }: TagRequest,
): Promise<string> => {
  const repository = await openForWriting(writer, projectId)
  const existing = await repository?.tag(tag)
  if (existing !== undefined) return existing
  if (ref === undefined) throw new PlatformError('unprocessable', 'Ref is not specified')
  const commit = repository && (await resolveName({ repository, defaultBranch }, ref))
  if (repository === undefined || commit === undefined) {
    throw new PlatformError('unprocessable', `Failed to create tag: Target ${ref.slice(0, 100)} is invalid`)
  }
  const { id: userId, ...signature } = tagger
  const newTag = { name: tag, commit, ...(message && { annotation: { message, tagger: signature } }) }
  await changeReferences(writer, repository, projectId, {
    userId,
    apply: (announce) => repository.createTag(newTag, { beforeUpdate: announce }),
  })
  return commit
}

/**
 * Returns the commit of a tag. Creates the tag if it does not exist, which counts as a push.
 *
 * @throws PlatformError `unprocessable` when the tag does not exist and `ref` is missing or unknown
 */
export const ensureTag = (writer: RepositoryWriter, request: TagRequest): Promise<string> =>
  changeRepository(writer, request.projectId, (locked) => createMissingTag(locked, request))
