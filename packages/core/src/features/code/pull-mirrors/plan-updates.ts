import { compileNamePattern } from '../../../kernel/name-pattern.ts'
import type { ReferenceUpdate, RemoteReference, Repository } from '../../../ports/git.ts'
import type { ReferenceAccess } from '../protected-references/reference-access.ts'
import { findNewNameRefusal } from '../repository/reference-rules.ts'

/** Which branches and tags a mirror updates, and how. */
export interface PullOptions {
  readonly onlyProtectedBranches: boolean | null
  readonly branchRegex: string | null
  readonly overwritesDivergedBranches: boolean
  /** The rules of protected branches. */
  readonly access: ReferenceAccess
}

const branchPrefix = 'refs/heads/'

const createSelector = ({ onlyProtectedBranches, branchRegex, access }: PullOptions) => {
  const compiled = compileNamePattern(branchRegex ?? '')
  return ({ name }: RemoteReference): boolean => {
    if (!name.startsWith(branchPrefix)) return true
    const branch = name.slice(branchPrefix.length)
    if (onlyProtectedBranches) return access.isProtected('branch', branch)
    return branchRegex === null || ('pattern' in compiled && compiled.pattern.matchesPart(branch))
  }
}

/** The selected branches and tags of the other repository that are different here. Names that the platform refuses are left out. */
export async function findChanged(
  repository: Repository,
  references: readonly RemoteReference[],
  options: PullOptions,
): Promise<readonly RemoteReference[]> {
  const isSelected = createSelector(options)
  const changed: RemoteReference[] = []
  for (const reference of references) {
    if (!isSelected(reference) || findNewNameRefusal({ name: reference.name, from: undefined, to: reference.id }))
      continue
    if ((await repository.reference(reference.name)) !== reference.id) changed.push(reference)
  }
  return changed
}

/** What a mirror changes in the repository. */
interface PullUpdates {
  readonly updates: readonly ReferenceUpdate[]
  /** Full names of branches and tags that stay, because they have other commits than those of the other repository. */
  readonly diverged: readonly string[]
}

/**
 * The updates that make branches and tags equal to those of the other repository. Branches and tags that it does not have stay. The
 * objects were fetched.
 */
export async function planUpdates(
  repository: Repository,
  references: readonly RemoteReference[],
  { overwritesDivergedBranches }: PullOptions,
): Promise<PullUpdates> {
  const updates: ReferenceUpdate[] = []
  const diverged: string[] = []
  for (const { name, id } of references) {
    const [from, commit] = [await repository.reference(name), await repository.peel(id)]
    // The other repository has moved the reference meanwhile; the next update finds its new value.
    if (from === id || commit === undefined) continue
    const isNew = from === undefined
    const isForward = !isNew && name.startsWith(branchPrefix) && (await repository.isAncestor(from, commit))
    if (isNew || isForward || overwritesDivergedBranches) updates.push({ name, from, to: id })
    else diverged.push(name)
  }
  return { updates, diverged }
}
