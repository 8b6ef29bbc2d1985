/** The change of one branch or tag by a push. */
export interface PushRecord {
  /** Number of pushed commits. */
  readonly commitCount: number
  /** `created` or `removed` branch or tag, or `pushed` for a change of an existing one. */
  readonly action: 'created' | 'removed' | 'pushed'
  /** Whether `ref` is a branch or a tag. */
  readonly refType: 'branch' | 'tag'
  /** SHA before the push, in hexadecimal; null for a new branch or tag. */
  readonly commitFrom: string | null
  /** SHA after the push, in hexadecimal; null for a removed branch or tag. */
  readonly commitTo: string | null
  /** Name of the branch or tag, without `refs/heads/` or `refs/tags/`. */
  readonly ref: string
  /** First line of the last commit's message, at most 70 characters; null if it was not reported. */
  readonly commitTitle: string | null
}

const maxTitleLength = 70

/** Returns the first line of a commit message, at most 70 characters. */
export const toCommitTitle = (text: string | null): string | null => {
  if (text === null) return null
  const [line = ''] = text.split(/\r?\n/, 1)
  const characters = [...line]
  return characters.length > maxTitleLength ? `${characters.slice(0, maxTitleLength - 3).join('')}...` : line
}

/** Converts `refs/heads/main` to `main`. */
export const stripRefPrefix = (ref: string): string => ref.replace(/^refs\/(?:heads|tags)\//, '')

/** `before` is null for a new ref, `after` for a removed one. */
export const toPushAction = (before: string | null, after: string | null): PushRecord['action'] => {
  if (before === null) return 'created'
  return after === null ? 'removed' : 'pushed'
}
