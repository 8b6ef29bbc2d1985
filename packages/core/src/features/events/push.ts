import type { PushRecord } from './event.ts'

const longestTitle = 70

/** The first line of a message, at most 70 characters. */
export const firstLine = (text: string | null): string | null => {
  if (text === null) return null
  const [line = ''] = text.split(/\r?\n/, 1)
  const characters = [...line]
  return characters.length > longestTitle ? `${characters.slice(0, longestTitle - 3).join('')}...` : line
}

/** `main` for `refs/heads/main`. */
export const withoutPrefix = (ref: string): string => ref.replace(/^refs\/(?:heads|tags)\//, '')

/** What a push did, by what stood there before it and after it: null for nothing. */
export const pushAction = (before: string | null, after: string | null): PushRecord['action'] => {
  if (before === null) return 'created'
  return after === null ? 'removed' : 'pushed'
}
