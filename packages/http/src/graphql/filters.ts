import { pick } from './mutation.ts'
import type { With } from './resolver.ts'

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

type List = readonly string[] | null

/** The types of these arguments in the schema. */
type CommonArguments = With<{ assigneeUsername?: string | null; iids?: List; milestoneTitle?: List }>
type IssueArguments = CommonArguments & {
  readonly state?: 'opened' | 'closed' | null
  readonly labelName?: readonly (string | null)[] | null
  readonly assigneeUsernames?: string[] | null
}
type MergeRequestArguments = CommonArguments & {
  readonly state?: 'opened' | 'closed' | 'merged' | 'locked' | null
  readonly sourceBranches?: List
  readonly targetBranches?: List
}

const readCommon = (args: CommonArguments) => {
  const { assigneeUsername, iids, milestoneTitle, sort } = args
  const milestone = milestoneTitle?.[0]
  return {
    ...pick(args, 'search', 'authorUsername', 'createdAfter', 'createdBefore', 'updatedAfter', 'updatedBefore'),
    ...(assigneeUsername != null && { assigneeUsername: [assigneeUsername] }),
    ...(iids != null && { iids: iids.map(Number) }),
    ...(milestone != null && { milestone }),
    ...readOrder(sort),
  }
}

/** Filters of issues as the input of operations. */
export const readIssueFilter = (args: IssueArguments) => {
  const { state, labelName, assigneeUsernames, iid } = args
  return {
    ...readCommon(args),
    ...pick(args, 'confidential'),
    ...(state != null && { state }),
    ...(labelName != null && { labels: labelName.filter((name) => name !== null) }),
    ...(assigneeUsernames != null && { assigneeUsername: assigneeUsernames }),
    ...(iid != null && { iids: [Number(iid)] }),
  }
}

/** Filters of merge requests as the input of operations. */
export const readMergeRequestFilter = (args: MergeRequestArguments) => {
  const { state, sourceBranches, targetBranches } = args
  const sourceBranch = sourceBranches?.[0]
  const targetBranch = targetBranches?.[0]
  return {
    ...readCommon(args),
    ...pick(args, 'labels', 'reviewerUsername', 'draft'),
    ...(state != null && { state }),
    ...(sourceBranch !== undefined && { sourceBranch }),
    ...(targetBranch !== undefined && { targetBranch }),
  }
}
