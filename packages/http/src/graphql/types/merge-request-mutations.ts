import type { Session } from '@forgelet/core'
import { MergeRequestWire } from '../../shapes/merge-request.ts'
import { pick, pickNullable } from '../mutation.ts'
import type { GraphqlContext, Json } from '../resolver.ts'
import type { Mutation, SchemaPart } from '../schema-part.ts'
import {
  type Change,
  changeUsers,
  type InProject,
  readLabelInput,
  readMilestoneInput,
  readStateEvent,
} from './issue-mutations.ts'

type MergeRequestUpdate = Omit<Parameters<Session['mergeRequests']['update']>[0], 'project' | 'mergeRequest'>

const getReference = ({ projectPath, iid }: InProject) => ({
  project: projectPath,
  mergeRequest: Number(iid),
})

/** A mutation that changes a merge request, which the input identifies by the path of its project and its number. */
const change = (input: string, toUpdate: Change<MergeRequestUpdate>['toUpdate']): Mutation => ({
  input: `projectPath: ID! iid: String! ${input}`,
  payload: 'mergeRequest: MergeRequest',
  async run(fields: InProject, { session, site }) {
    const update = await toUpdate(fields, session)
    const mergeRequest = await session.mergeRequests.update({ ...getReference(fields), ...update })
    return { merge_request: MergeRequestWire(mergeRequest, site) }
  },
})

type NewMergeRequest = InProject & {
  readonly title: string
  readonly sourceBranch: string
  readonly targetBranch: string
}

const createMergeRequest = async (input: NewMergeRequest, { session, site }: GraphqlContext): Promise<Json> => {
  const mergeRequest = await session.mergeRequests.create({
    project: input.projectPath,
    title: input.title,
    sourceBranch: input.sourceBranch,
    targetBranch: input.targetBranch,
    ...pick(input, 'description', 'labels'),
  })
  return { merge_request: MergeRequestWire(mergeRequest, site) }
}

/** Drafts are marked in the title. */
const draftPrefix = /^(?:\s*(?:\[draft\]|\(draft\)|draft:|\[wip\]|wip:))+\s*/i

const setDraft = async (input: InProject, { mergeRequests }: Session) => {
  const { title, workInProgress } = await mergeRequests.get(getReference(input))
  if (workInProgress === input.draft) return { title }
  return { title: input.draft ? `Draft: ${title}` : title.replace(draftPrefix, '') }
}

const accept = async (
  input: InProject & { readonly commitMessage?: string | null },
  { session, site }: GraphqlContext,
): Promise<Json> => {
  const merged = await session.mergeRequests.merge({
    ...getReference(input),
    ...pick(input, 'sha', 'squash', 'squashCommitMessage', 'shouldRemoveSourceBranch'),
    ...(input.commitMessage != null && { mergeCommitMessage: input.commitMessage }),
    ...(input.strategy != null && { autoMerge: true }),
  })
  return { merge_request: MergeRequestWire(merged, site) }
}

const labelUpdates = { REPLACE: 'labelIds', APPEND: 'addLabelIds', REMOVE: 'removeLabelIds' } as const

type LabelInput = InProject & { readonly operationMode: keyof typeof labelUpdates }
type Assignment = InProject & { readonly assigneeUsernames: string[]; readonly reviewerUsernames: string[] }

const operationMode = 'operationMode: MutationOperationMode = REPLACE'

/** Changes of merge requests. */
export const mergeRequestMutationPart: SchemaPart = {
  types: `
enum MergeRequestNewState { OPEN CLOSED }
enum MergeStrategyEnum { MERGE_WHEN_PIPELINE_SUCCEEDS MERGE_WHEN_CHECKS_PASS }
`,
  mutations: {
    mergeRequestCreate: {
      input:
        'projectPath: ID! title: String! sourceBranch: String! targetBranch: String! description: String labels: [String!]',
      payload: 'mergeRequest: MergeRequest',
      run: createMergeRequest,
    },
    mergeRequestUpdate: change(
      'title: String description: String targetBranch: String state: MergeRequestNewState',
      (input) => ({
        ...pick(input, 'title', 'targetBranch'),
        ...pickNullable(input, 'description'),
        ...readStateEvent(input.state),
      }),
    ),
    mergeRequestSetAssignees: change(
      `assigneeUsernames: [String!]! ${operationMode}`,
      async (input: Assignment, session) => {
        const { assignees } = await session.mergeRequests.get(getReference(input))
        return { assignees: changeUsers(assignees, input.assigneeUsernames, input.operationMode) }
      },
    ),
    mergeRequestSetReviewers: change(
      `reviewerUsernames: [String!]! ${operationMode}`,
      async (input: Assignment, session) => {
        const { reviewers } = await session.mergeRequests.get(getReference(input))
        return { reviewers: changeUsers(reviewers, input.reviewerUsernames, input.operationMode) }
      },
    ),
    mergeRequestSetLabels: change(`labelIds: [LabelID!]! ${operationMode}`, (input: LabelInput, session) => {
      const field = labelUpdates[input.operationMode]
      return readLabelInput(session, { project: input.projectPath }, { [field]: input.labelIds })
    }),
    mergeRequestSetMilestone: change('"Null removes it." milestoneId: MilestoneID', ({ milestoneId = null }) =>
      readMilestoneInput({ milestoneId }),
    ),
    mergeRequestSetDraft: change('draft: Boolean!', setDraft),
    mergeRequestSetLocked: change('locked: Boolean!', ({ locked }: InProject & { readonly locked: boolean }) => ({
      discussionLocked: locked,
    })),
    mergeRequestAccept: {
      input:
        'projectPath: ID! iid: String! sha: String! commitMessage: String squash: Boolean = false squashCommitMessage: String shouldRemoveSourceBranch: Boolean "Merges once the pipeline succeeds." strategy: MergeStrategyEnum',
      payload: 'mergeRequest: MergeRequest',
      run: accept,
    },
  },
}
