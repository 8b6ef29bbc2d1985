import type { Context } from '../../../kernel/context.ts'
import { isPlatformError } from '../../../kernel/errors.ts'
import type { Repository } from '../../../ports/git.ts'
import { defined } from '../../../shared/defined.ts'
import type { ReferenceMove } from './reference-move.ts'

/** The newest commit of the source branch, also after the branch was removed. */
export const getHeadReference = (iid: number): string => `refs/merge-requests/${iid}/head`

/** The result of merging the branches, while that is possible. */
export const getMergeReference = (iid: number): string => `refs/merge-requests/${iid}/merge`

/** Moves a reference of a merge request; `undefined` removes it. */
export const setMergeRequestReference = async (
  repository: Repository,
  name: string,
  to: string | undefined,
): Promise<void> => {
  const from = await repository.reference(name)
  if (from === to) return
  try {
    await repository.updateReferences([{ name, from, to }])
  } catch (error) {
    // Another call has moved it meanwhile, to the same commit or a newer one.
    if (!isPlatformError(error) || error.code !== 'conflict') throw error
  }
}

/** The head of an open merge request, and the commit to which its source branch has moved. */
export interface MovedHead {
  readonly iid: number
  readonly sha: string
}

/** Names per statement: SQLite limits the number of parameters. */
const namesPerStatement = 1_000

/** The open merge requests of the project from branches of its own that have moved. */
export const findMovedHeads = async (
  { db }: Context,
  projectId: number,
  moves: readonly ReferenceMove[],
): Promise<readonly MovedHead[]> => {
  const tips = new Map(
    moves.flatMap(({ ref, after }) =>
      after !== null && ref.startsWith('refs/heads/') ? [[ref.slice('refs/heads/'.length), after] as const] : [],
    ),
  )
  const names = [...tips.keys()]
  const heads: MovedHead[] = []
  for (let from = 0; from < names.length; from += namesPerStatement) {
    const open = await db
      .selectFrom('mergeRequest')
      .where('sourceProjectId', '=', projectId)
      .where('projectId', '=', projectId)
      .where('sourceBranch', 'in', names.slice(from, from + namesPerStatement))
      .where('state', '=', 'opened')
      .select(['iid', 'sourceBranch'])
      .execute()
    heads.push(...open.map(({ iid, sourceBranch }) => ({ iid, sha: defined(tips.get(sourceBranch)) })))
  }
  return heads
}

/** Moves the heads after their branches. */
export const moveHeads = async (repository: Repository, heads: readonly MovedHead[]): Promise<void> => {
  for (const { iid, sha } of heads) await setMergeRequestReference(repository, getHeadReference(iid), sha)
}
