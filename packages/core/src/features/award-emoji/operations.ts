import { issue } from '../issues/subject.ts'
import { mergeRequest } from '../merge-requests/subject.ts'
import { defineAwardOperations } from './define-awards.ts'

const onIssue = defineAwardOperations(issue, ({ issue }) => ({ column: 'issueId', id: issue.id }))
const onMergeRequest = defineAwardOperations(mergeRequest, ({ mergeRequest }) => ({
  column: 'mergeRequestId',
  id: mergeRequest.id,
}))

export const awardEmoji = {
  /** Lists the emoji of an issue, oldest first. */
  listOnIssue: onIssue.list,

  /** Gets an emoji of an issue. */
  getOnIssue: onIssue.get,

  /** Adds an emoji to an issue. Giving the same emoji again changes nothing. */
  giveToIssue: onIssue.give,

  /** Removes an emoji of the caller from an issue; administrators remove any. */
  removeFromIssue: onIssue.remove,

  /** Lists the emoji of a merge request, oldest first. */
  listOnMergeRequest: onMergeRequest.list,

  /** Gets an emoji of a merge request. */
  getOnMergeRequest: onMergeRequest.get,

  /** Adds an emoji to a merge request. Giving the same emoji again changes nothing. */
  giveToMergeRequest: onMergeRequest.give,

  /** Removes an emoji of the caller from a merge request; administrators remove any. */
  removeFromMergeRequest: onMergeRequest.remove,
}
