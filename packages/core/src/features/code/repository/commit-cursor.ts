import { invalidCursor } from '../../../kernel/paging.ts'

/** A position in a list that is read from a commit. A branch that moves does not change the following pages. */
interface CommitPosition {
  readonly commit: string
  readonly offset: number
}

export const formatCommitCursor = ({ commit, offset }: CommitPosition): string => `${commit}-${offset}`

/** @throws PlatformError `invalid_input` */
export const parseCommitCursor = (cursor: string): CommitPosition => {
  const [, commit, offset] = /^([0-9a-f]{40}|[0-9a-f]{64})-([0-9]{1,15})$/.exec(cursor) ?? []
  if (commit === undefined || offset === undefined) throw invalidCursor()
  return { commit, offset: Number(offset) }
}
