import { type Issue, type MergeRequest, type TimeStats, toTimeStats } from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Integer, NullableDateTime, NullableText, Url } from '../reply/field-types.ts'
import { computed, list, nullable, type Site, wire } from '../reply/wire.ts'
import { MilestoneWire } from './milestone.ts'
import { UserSummaryWire } from './user.ts'

type Issuable = Issue | MergeRequest

/** Fields of issues and merge requests. */
export const issuableFields = {
  id: Integer,
  iid: Integer,
  project_id: Integer,
  title: v.string(),
  description: NullableText,
  state: v.string(),
  created_at: DateTime,
  updated_at: DateTime,
  closed_at: NullableDateTime,
  closed_by: nullable(UserSummaryWire),
  labels: computed(v.array(v.string()), ({ labels }: Issuable) => [...labels]),
  milestone: nullable(MilestoneWire),
  assignees: list(UserSummaryWire),
  author: UserSummaryWire,
  /** The first assignee, for clients that support only one. */
  assignee: computed(nullable(UserSummaryWire), ({ assignees }: Issuable) => assignees[0] ?? null),
  user_notes_count: Integer,
  upvotes: Integer,
  downvotes: Integer,
  discussion_locked: v.boolean(),
}

/** Estimated and recorded work. */
export const TimeStatsWire = wire<TimeStats>('TimeStats')({
  time_estimate: Integer,
  total_time_spent: Integer,
  human_time_estimate: NullableText,
  human_total_time_spent: NullableText,
})

/** Estimated and recorded work of an item. */
export const timeStats = computed(TimeStatsWire, (item: Issuable) => toTimeStats(item))

/** How a text in the place of a list refers to an item: without the project in it, with its path in its group, else completely. */
const toRelative = (short: string, projectPath: string, listedIn: string | undefined): string => {
  if (listedIn === undefined) return short
  const [path = '', ...groups] = projectPath.split('/').reverse()
  return `${groups.reverse().join('/') === listedIn ? path : projectPath}${short}`
}

/** References in Markdown: `#7`, `acme/web#7`. */
export const references = (sign: '#' | '!') =>
  computed(
    v.strictObject({
      /** Inside the project: `#7`. */
      short: v.string(),
      /** In the place of the list: `web#7` in those of the group of the project, `acme/web#7` in others; otherwise the same as `short`. */
      relative: v.string(),
      /** In other projects: `acme/web#7`. */
      full: v.string(),
    }),
    ({ iid, projectPath, listedIn }: Issuable) => {
      const short = `${sign}${iid}`
      return { short, relative: toRelative(short, projectPath, listedIn), full: `${projectPath}${short}` }
    },
  )

const taskPattern = /^[ \t>]*(?:[-*+]|[0-9]{1,9}[.)])[ \t]\[[ xX]\][ \t]/gm

/** Counts the task list items of a description: lines such as `- [ ] write` and `1. [x] read`. */
export const countTasks = (description: string | null) => {
  // Most descriptions have no brackets, and the pattern takes fifty times as long as the search for one.
  const tasks = (description?.includes('[') && description.match(taskPattern)) || []
  return { count: tasks.length, completed_count: tasks.filter((task) => !task.includes('[ ]')).length }
}

/** Task list items of the description. */
export const taskCompletion = computed(
  v.strictObject({
    /** Number of task list items. */
    count: Integer,
    /** Number of checked task list items. */
    completed_count: Integer,
  }),
  ({ description }: Issuable) => countTasks(description),
)

export const webUrl = (segment: 'issues' | 'merge_requests') =>
  computed(Url, ({ projectPath, iid }: Issuable, { url }: Site) => `${url}/${projectPath}/-/${segment}/${iid}`)
