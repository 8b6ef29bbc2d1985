import type { Issue, MergeRequest } from '@forgelet/core/operations'
import * as v from 'valibot'
import { computed, list, type Site } from '../reply/wire.ts'
import { MilestoneWire } from './milestone.ts'
import { UserSummaryWire } from './user.ts'

type Issuable = Issue | MergeRequest

const NullableObject = v.nullable(v.looseObject({}))

/** Fields of issues and merge requests. */
export const issuableFields = {
  id: v.number(),
  iid: v.number(),
  project_id: v.number(),
  title: v.string(),
  description: v.nullable(v.string()),
  state: v.string(),
  created_at: v.string(),
  updated_at: v.string(),
  closed_at: v.nullable(v.string()),
  closed_by: UserSummaryWire,
  labels: computed(v.array(v.string()), ({ labels }: Issuable) => [...labels]),
  milestone: MilestoneWire,
  assignees: list(UserSummaryWire),
  author: UserSummaryWire,
  /** The first assignee, for clients that support only one. */
  assignee: computed(NullableObject, ({ assignees }: Issuable, site: Site) =>
    assignees[0] ? { ...UserSummaryWire(assignees[0], site) } : null,
  ),
  user_notes_count: v.number(),
  upvotes: v.number(),
  downvotes: v.number(),
  discussion_locked: v.boolean(),
}

/** References in Markdown: `#7`, `acme/web#7`. */
export const references = (sign: '#' | '!') =>
  computed(
    v.strictObject({ short: v.string(), relative: v.string(), full: v.string() }),
    ({ iid, projectPath }: Issuable) => ({
      short: `${sign}${iid}`,
      relative: `${sign}${iid}`,
      full: `${projectPath}${sign}${iid}`,
    }),
  )

/** Task list items of the description: lines such as `- [ ] write` and `1. [x] read`. */
export const taskCompletion = computed(
  v.strictObject({ count: v.number(), completed_count: v.number() }),
  ({ description }: Issuable) => {
    const tasks = (description ?? '').match(/^[ \t>]*(?:[-*+]|[0-9]{1,9}[.)])[ \t]\[[ xX]\][ \t]/gm) ?? []
    return { count: tasks.length, completed_count: tasks.filter((task) => !task.includes('[ ]')).length }
  },
)

export const webUrl = (segment: 'issues' | 'merge_requests') =>
  computed(v.string(), ({ projectPath, iid }: Issuable, { url }: Site) => `${url}/${projectPath}/-/${segment}/${iid}`)
