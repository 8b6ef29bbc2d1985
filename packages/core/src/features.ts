import { accessRequests } from './features/access-requests/operations.ts'
import { joiningEndsRequests } from './features/access-requests/reactions.ts'
import { users } from './features/accounts/operations.ts'
import { tokens } from './features/accounts/token-operations.ts'
import { awardEmoji } from './features/award-emoji/operations.ts'
import { customAttributes } from './features/custom-attributes/operations.ts'
import { epics } from './features/epics/operations.ts'
import { groups } from './features/groups/operations.ts'
import { issues } from './features/issues/operations.ts'
import { labels } from './features/labels/operations.ts'
import { markdown } from './features/markdown/operations.ts'
import { expireMemberships } from './features/members/jobs.ts'
import { members } from './features/members/operations.ts'
import { personalOwnersBelong } from './features/members/reactions.ts'
import { mergeRequests } from './features/merge-requests/operations.ts'
import { milestones } from './features/milestones/operations.ts'
import { notes } from './features/notes/operations.ts'
import { systemNotes } from './features/notes/system-notes.ts'
import { projects } from './features/projects/operations.ts'
import { shares } from './features/shares/operations.ts'
import { snippets } from './features/snippets/operations.ts'
import type { Job } from './jobs.ts'
import type { Reaction } from './signals.ts'

/** What the platform can do, in order of dependency: a feature may ask only those above it. */
export const features = {
  users,
  tokens,
  groups,
  projects,
  members,
  accessRequests,
  customAttributes,
  shares,
  labels,
  milestones,
  issues,
  mergeRequests,
  awardEmoji,
  snippets,
  epics,
  notes,
  markdown,
}

/** What features do when others state a fact, in the order in which they do it. */
export const reactions: readonly Reaction[] = [personalOwnersBelong, joiningEndsRequests, ...systemNotes]

/** What is done after a commit or day by day. */
export const jobs: readonly Job[] = [expireMemberships]
