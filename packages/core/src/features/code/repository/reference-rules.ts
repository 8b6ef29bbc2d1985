import type { Project } from '../../../contract/project.ts'
import type { PushCause } from '../../../contract/push-cause.ts'
import { forbidden } from '../../../kernel/errors.ts'
import type { ReferenceUpdate, Repository } from '../../../ports/git.ts'
import { isReservedName } from '../../../ports/git-binary/reference-name.ts'
import type { ReferenceAccess } from '../protected-references/reference-access.ts'
import type { ReferenceMove } from './reference-move.ts'

/** References that the platform or GitLab create themselves. */
const reservedReference = /^refs\/(forgelet|merge-requests|keep-around|environments|pipelines|remotes)\//

interface Name {
  readonly kind: 'branch' | 'tag'
  readonly name: string
}

/** `main` for `refs/heads/main`. Undefined for references that are neither branches nor tags. */
const parseReference = (reference: string): Name | undefined => {
  const [, kind, name = ''] = /^refs\/(heads|tags)\/(.+)$/s.exec(reference) ?? []
  return kind === undefined ? undefined : { kind: kind === 'heads' ? 'branch' : 'tag', name }
}

const forcePushRefusal = 'You are not allowed to force push code to a protected branch on this project.'

const findWriteRefusal = (
  access: ReferenceAccess,
  { kind, name }: Name,
  { isNew, isMerge }: { readonly isNew: boolean; readonly isMerge: boolean },
): string | undefined => {
  if (kind === 'tag') {
    if (!isNew) return access.isProtected('tag', name) ? 'Protected tags cannot be updated.' : undefined
    return access.canCreateTag(name) ? undefined : 'You are not allowed to create this tag as it is protected.'
  }
  if (isMerge ? access.canMerge(name) : access.canPush(name)) return undefined
  if (isMerge) return 'You are not allowed to merge into this protected branch.'
  return isNew
    ? 'You are not allowed to create protected branches on this project.'
    : 'You are not allowed to push code to protected branches on this project.'
}

/**
 * Why a reference cannot get its name; undefined if it can. Names that git refuses anyway are left to git.
 */
export const findNewNameRefusal = ({ name: reference, from, to }: ReferenceUpdate): string | undefined => {
  const parsed = from === undefined && to !== undefined ? parseReference(reference) : undefined
  if (parsed === undefined || !isReservedName(parsed.name)) return undefined
  return `${parsed.kind === 'branch' ? 'Branch name is invalid' : 'Tag name invalid'}: HEAD, names that begin with refs/, and names like commit ids are reserved`
}

/**
 * Why a branch cannot move: a person works in files of it beside a repository that is used in place. The files would stay behind, and
 * the next commit there would undo the change. git refuses it as well (`receive.denyCurrentBranch`).
 */
export const findCheckoutRefusal = (
  checkedOut: readonly string[],
  { name, from, to }: ReferenceUpdate,
): string | undefined => {
  const branch = from === to ? undefined : checkedOut.find((branch) => name === `refs/heads/${branch}`)
  if (branch === undefined) return undefined
  return `The branch ${branch} is checked out in a working directory of the repository: check out another branch there, or detach HEAD.`
}

/** Why a client must not change a reference, in words for the user of git; undefined if it may. Does not read the objects. */
export const findNameRefusal = (
  { defaultBranch }: Pick<Project, 'defaultBranch'>,
  access: ReferenceAccess,
  { name: reference, from, to }: ReferenceUpdate,
): string | undefined => {
  if (reference.startsWith('refs/merge-requests/')) return 'the references of merge requests follow their branches'
  if (reservedReference.test(reference)) return 'the reference belongs to the platform'
  const parsed = parseReference(reference)
  if (parsed === undefined) return undefined
  const { kind, name } = parsed
  const nameRefusal = findNewNameRefusal({ name: reference, from, to })
  if (nameRefusal !== undefined) return nameRefusal
  if (to !== undefined) return findWriteRefusal(access, parsed, { isNew: from === undefined, isMerge: false })
  if (kind === 'branch' && name === defaultBranch) return 'The default branch of a project cannot be deleted.'
  if (!access.isProtected(kind, name)) return undefined
  return kind === 'branch'
    ? 'You can only delete protected branches using the web interface.'
    : 'You can only delete protected tags using the web interface.'
}

/** Why the objects of a change do not permit it; undefined if they do. The repository contains the objects. */
export const findObjectRefusal = async (
  repository: Repository,
  access: ReferenceAccess,
  { name: reference, from, to }: ReferenceUpdate,
): Promise<string | undefined> => {
  const parsed = parseReference(reference)
  if (parsed?.kind !== 'branch' || to === undefined) return undefined
  if ((await repository.commit(to)) === undefined) return 'a branch must point to a commit'
  if (from === undefined || access.canForcePush(parsed.name)) return undefined
  return (await repository.isAncestor(from, to)) ? undefined : forcePushRefusal
}

/** @throws PlatformError `forbidden` unless commits of the branch may be replaced */
export const assertForcePushAllowed = (access: ReferenceAccess, branch: string): void => {
  if (!access.canForcePush(branch)) throw forbidden(forcePushRefusal)
}

/**
 * Checks moves of any origin against the rules of protected branches and tags.
 *
 * @throws PlatformError `forbidden` for the first move that is not allowed
 */
export const assertMovesAllowed = (
  access: ReferenceAccess,
  moves: readonly ReferenceMove[],
  cause: PushCause | undefined,
): void => {
  for (const { ref, before, after } of moves) {
    const parsed = parseReference(ref)
    if (parsed === undefined || before === after) continue
    if (after === null) {
      if (access.canDelete(parsed.kind, parsed.name)) continue
      const things = parsed.kind === 'branch' ? 'branches' : 'tags'
      throw forbidden(
        `You are not allowed to delete protected ${things} from this project. Only a project maintainer or owner can.`,
      )
    }
    const refusal = findWriteRefusal(access, parsed, { isNew: before === null, isMerge: cause?.kind === 'merge' })
    if (refusal !== undefined) throw forbidden(refusal)
  }
}
