import type { PushEventData, PushRecord } from './event.ts'

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

/** The event of many changes of one kind in a push. */
export const summarizePushes = ({ action, refType }: PushRecord, refCount: number): PushEventData => ({
  commitCount: 0,
  action,
  refType,
  commitFrom: null,
  commitTo: null,
  ref: null,
  commitTitle: null,
  refCount,
})

/** `before` is null for a new ref, `after` for a removed one. */
export const toPushAction = (before: string | null, after: string | null): PushRecord['action'] => {
  if (before === null) return 'created'
  return after === null ? 'removed' : 'pushed'
}
