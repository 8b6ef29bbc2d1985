import * as v from 'valibot'
import { InternalId } from '../kernel/inputs.ts'
import { EmojiList } from './emoji.ts'
import { NoteList } from './notes.ts'
import { type Seeder, Timestamp } from './seeder.ts'
import { TodoList } from './todos.ts'

/** Seed fields that issues and merge requests have in common. */
export const issuableFields = {
  /** Name in the result. Default: the title after the project path and `#` or `!`. */
  as: v.optional(v.string()),
  /** Number in the project. Numbers ascend in the seed. Default: the next one. */
  iid: v.optional(InternalId),
  title: v.string(),
  /** Text in Markdown, at most 1,000,000 characters. */
  description: v.optional(v.string()),
  /** A username. */
  author: v.string(),
  /** Names. Missing labels are created in the project. */
  labels: v.optional(v.array(v.string())),
  /** Usernames. */
  assignees: v.optional(v.array(v.string())),
  /** Title of a milestone of the project or of a group above it. */
  milestone: v.optional(v.string()),
  discussionLocked: v.optional(v.boolean()),
  /** Estimated working time, such as `3h30m`. */
  timeEstimate: v.optional(v.string()),
  /** Recorded working time, such as `1h`. */
  timeSpent: v.optional(v.string()),
  emoji: EmojiList,
  /** Comments in chronological order. */
  notes: NoteList,
  /** Additional todos: assignments and mentions create theirs automatically. */
  todos: TodoList,
  createdAt: Timestamp,
  /** Time of closing or merging. */
  endedAt: Timestamp,
}

interface Times {
  readonly timeEstimate?: string | undefined
  readonly timeSpent?: string | undefined
  readonly createdAt?: string | undefined
}

type IssuableRef = { project: number; issue: number } | { project: number; mergeRequest: number }

/** Sets the estimated and the recorded working time. */
export async function seedTimes(
  seeder: Seeder,
  { timeEstimate, timeSpent, createdAt }: Times,
  ref: IssuableRef,
): Promise<void> {
  const { timeTracking } = seeder.asHost(createdAt)
  if (timeEstimate !== undefined) await timeTracking.setEstimate({ ...ref, duration: timeEstimate })
  if (timeSpent !== undefined) await timeTracking.addSpent({ ...ref, duration: timeSpent })
}
