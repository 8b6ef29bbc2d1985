import { command, query } from '../../../kernel/operation.ts'
import { paginate, pagingEntries } from '../../../kernel/paging.ts'
import { defined } from '../../../shared/defined.ts'
import { toUserSummary } from '../../accounts/users/user.ts'
import { getSettings } from '../../administration/settings/queries.ts'
import { resolveAuthorId } from '../../planning/issuables/author.ts'
import { selectParticipantIds } from '../../planning/issuables/participants.ts'
import type { IssueDetails } from '../../planning/issues/issue.ts'
import { completeIssues } from '../../planning/issues/queries.ts'
import { issuable, toIssuableKey } from '../merge-requests/issuable.ts'
import type { MergeRequestDetails } from '../merge-requests/merge-request.ts'
import { withPermissions } from '../merge-requests/permissions.ts'
import { completeMergeRequests } from '../merge-requests/queries.ts'
import { setSubscribed } from './mutations.ts'

/** An issue after a change of the current user's subscription. */
export interface IssueSubscription {
  /** False if the current user already had this state. */
  changed: boolean
  /** The issue, and whether the current user is subscribed to it. */
  issue: IssueDetails
}

/** A merge request after a change of the current user's subscription. */
export interface MergeRequestSubscription {
  /** False if the current user already had this state. */
  changed: boolean
  /** The merge request, and whether the current user is subscribed to it. */
  mergeRequest: MergeRequestDetails
}

const defineCommand = (subscribed: boolean) =>
  command({
    on: issuable,
    can: 'subscription.manage',
    serializes: 'project',
    async run(ctx, _input, subject): Promise<IssueSubscription | MergeRequestSubscription> {
      const userId = await resolveAuthorId(ctx, undefined)
      const changed = await setSubscribed(ctx, subject, userId, subscribed)
      if (subject.kind === 'issue') {
        const [completed] = await completeIssues(ctx, [subject.issue])
        return { changed, issue: { ...defined(completed), subscribed } }
      }
      const [completed] = await completeMergeRequests(ctx, [subject.mergeRequest])
      return { changed, mergeRequest: await withPermissions(ctx, subject, defined(completed)) }
    },
  })

/** Subscriptions to issues and merge requests, and their participants. */
export const subscriptions = {
  /** Lists the author, the assignees, the reviewers and the authors of readable comments of an issue or a merge request, by id. */
  listParticipants: query({
    on: issuable,
    can: 'note.list',
    input: pagingEntries,
    async run(ctx, paging, subject) {
      const rows = ctx.db
        .selectFrom('user')
        .where('user.id', 'in', await selectParticipantIds(ctx, toIssuableKey(subject)))
        .orderBy('user.id')
        .select(['user.id', 'user.username', 'user.name', 'user.state', 'user.avatarUrl', 'user.publicEmail'])
      return paginate(rows, paging, toUserSummary(await getSettings(ctx)))
    },
  }),

  /** Subscribes the current user to an issue or a merge request. */
  subscribe: defineCommand(true),

  /** Unsubscribes the current user from an issue or a merge request, also if the user is a participant. */
  unsubscribe: defineCommand(false),
}
