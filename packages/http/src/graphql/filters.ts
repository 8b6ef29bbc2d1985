import { pick } from './mutation.ts'
import type { Arguments } from './resolver.ts'

/** The arguments of lists of issues and of merge requests, and the inputs of operations with the same meaning. */

const commonArguments =
  'search: String, authorUsername: String, assigneeUsername: String, iids: [String!], milestoneTitle: [String], createdAfter: Time, createdBefore: Time, updatedAfter: Time, updatedBefore: Time'

const withoutSort = `state: IssuableState, labelName: [String], assigneeUsernames: [String!], iid: String, confidential: Boolean, ${commonArguments}`

export const issueArguments = `${withoutSort}, sort: IssueSort`

/** Clients declare filters by the due date, also without values. */
export const workItemArguments = `types: [IssueType!], ${withoutSort}, dueAfter: Time, dueBefore: Time, sort: WorkItemSort`

export const mergeRequestArguments = `state: MergeRequestState, labels: [String!], reviewerUsername: String, draft: Boolean, sourceBranches: [String!], targetBranches: [String!], sort: MergeRequestSort, ${commonArguments}`

const orders = ['CREATED', 'UPDATED', 'TITLE', 'PRIORITY', 'LABEL_PRIORITY', 'POPULARITY', 'MILESTONE_DUE']

const createOrderValues = (names: readonly string[]) =>
  [
    ...names.flatMap((name) => [`${name}_ASC`, `${name}_DESC`]),
    'created_asc created_desc updated_asc updated_desc',
  ].join(' ')

/** The orders of issues and of work items. */
export const orderValues = createOrderValues([...orders, 'DUE_DATE'])

export const filterTypes = `
enum IssueSort { ${orderValues} }
enum MergeRequestSort { ${createOrderValues([...orders, 'MERGED_AT'])} }
`

/** `CREATED_DESC` → `{ orderBy: 'created_at', sort: 'desc' }` */
export const readOrder = (sort: unknown) => {
  if (sort == null) return {}
  const [, name, direction] = /^(.*)_(asc|desc)$/.exec(String(sort).toLowerCase()) ?? []
  const orderBy = name === 'created' || name === 'updated' ? `${name}_at` : name
  return { orderBy: orderBy as 'created_at', sort: direction as 'asc' }
}

const withoutNull = (list: unknown) => (list as readonly (string | null)[]).filter((value) => value !== null)

const firstOf = (list: unknown) => (list as readonly string[] | null | undefined)?.[0]

const readCommon = (args: Arguments) => {
  const { assigneeUsername, iids, milestoneTitle, sort } = args
  const milestone = firstOf(milestoneTitle)
  return {
    ...pick(args, 'search', 'authorUsername', 'createdAfter', 'createdBefore', 'updatedAfter', 'updatedBefore'),
    ...(assigneeUsername != null && { assigneeUsername: [assigneeUsername as string] }),
    ...(iids != null && { iids: (iids as string[]).map(Number) }),
    ...(milestone != null && { milestone }),
    ...readOrder(sort),
  }
}

/** Filters of issues as the input of operations. */
export const readIssueFilter = (args: Arguments) => {
  const { state, labelName, assigneeUsernames, iid } = args
  return {
    ...readCommon(args),
    ...pick(args, 'confidential'),
    ...(state != null && { state: state as 'opened' }),
    ...(labelName != null && { labels: withoutNull(labelName) }),
    ...(assigneeUsernames != null && { assigneeUsername: assigneeUsernames as string[] }),
    ...(iid != null && { iids: [Number(iid)] }),
  }
}

/** Filters of merge requests as the input of operations. */
export const readMergeRequestFilter = (args: Arguments) => {
  const { state, sourceBranches, targetBranches } = args
  const sourceBranch = firstOf(sourceBranches)
  const targetBranch = firstOf(targetBranches)
  return {
    ...readCommon(args),
    ...pick(args, 'labels', 'reviewerUsername', 'draft'),
    ...(state != null && { state: state as 'opened' }),
    ...(sourceBranch !== undefined && { sourceBranch }),
    ...(targetBranch !== undefined && { targetBranch }),
  }
}
