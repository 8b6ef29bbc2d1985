import * as v from 'valibot'
import { noteItems } from './notes.ts'
import { At } from './planting.ts'
import { todoItems } from './todos.ts'

/** What issues and merge requests have in common in a seed. */
export const issuable = {
  /** How the result calls it; its title when absent. */
  as: v.optional(v.string()),
  title: v.string(),
  description: v.optional(v.string()),
  /** A username. */
  author: v.string(),
  labels: v.optional(v.array(v.string())),
  assignees: v.optional(v.array(v.string())),
  milestone: v.optional(v.string()),
  discussionLocked: v.optional(v.boolean()),
  /** Emoji names, each with the usernames of those who gave it. */
  emoji: v.optional(v.array(v.strictObject({ name: v.string(), users: v.array(v.string()) })), []),
  /** What people wrote on it, in the order in which they did. */
  notes: noteItems,
  /** Whose attention it asks for, besides those whom it is assigned to and who are mentioned. */
  todos: todoItems,
  createdAt: At,
  /** When it was closed or merged. */
  endedAt: At,
}
