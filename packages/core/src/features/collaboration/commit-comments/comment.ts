import type { UserSummary } from '../../accounts/users/user.ts'

export const lineTypes = ['new', 'old'] as const

/** A comment on a commit, or on a line of one of its changes. */
export interface CommitComment {
  /** Text in Markdown. */
  note: string
  /** The file that the comment refers to; null for the whole commit. */
  path: string | null
  /** Number of the line in the file, from 1; null for the whole commit. */
  line: number | null
  /** Whether `line` counts the lines after (`new`) or before (`old`) the commit; null for the whole commit. */
  lineType: (typeof lineTypes)[number] | null
  /** User who wrote the comment. */
  author: UserSummary
  /** When the comment was written: ISO 8601, UTC, with milliseconds. */
  createdAt: string
}
