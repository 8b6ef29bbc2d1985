import type { Session } from '@forgelet/core'
import { defined } from '@forgelet/core/operations'
import { IssueWire } from '../../shapes/issue.ts'
import { parseIdOf, parseIdsOf, parseLabelIds } from '../global-id.ts'
import { pick, pickNullable } from '../mutation.ts'
import type { Arguments, GraphqlContext, Json, With } from '../resolver.ts'
import type { Mutation, SchemaPart } from '../schema-part.ts'
import { type Container, readLabelNames } from './labels.ts'

const stateEvents: Readonly<Record<string, 'close' | 'reopen'>> = {
  CLOSE: 'close',
  REOPEN: 'reopen',
  CLOSED: 'close',
  OPEN: 'reopen',
}

/** The state to change to. */
export const readStateEvent = (state: unknown) => (state == null ? {} : { stateEvent: stateEvents[String(state)] })

const labelFields = { labelIds: 'labels', addLabelIds: 'addLabels', removeLabelIds: 'removeLabels' } as const

type LabelChange = { [K in (typeof labelFields)[keyof typeof labelFields]]?: string[] }

/** The names of labels that the input identifies by id. */
export const readLabelInput = async (session: Session, container: Container, input: Arguments) => {
  const given = Object.entries(labelFields).filter(([field]) => input[field] != null)
  const names = await Promise.all(
    given.map(async ([field, name]) => {
      const ids = defined(parseLabelIds(input[field]))
      return [name, await readLabelNames(session, container, ids)] as const
    }),
  )
  const labels: LabelChange = Object.fromEntries(names)
  return labels
}

/** The milestone; null removes the current one. */
export const readMilestoneInput = ({ milestoneId: id }: Arguments) =>
  id === undefined ? {} : { milestone: id === null ? null : parseIdOf('Milestone', id) }

/** The usernames after a change of a list of users. */
export const changeUsers = (
  current: readonly { readonly username: string }[],
  usernames: string[],
  mode: unknown,
): string[] => {
  const names = current.map(({ username }) => username)
  const given = new Set(usernames.map((name) => name.toLowerCase()))
  if (mode === 'APPEND') return [...new Set([...names, ...usernames])]
  if (mode === 'REMOVE') return names.filter((name) => !given.has(name.toLowerCase()))
  return usernames
}

/** The input of a mutation that names a project. */
export type InProject = With<{ projectPath: string }>

export interface Change<T> {
  toUpdate(input: InProject, session: Session): T | Promise<T>
}

type IssueUpdate = Omit<Parameters<Session['issues']['update']>[0], 'project' | 'issue'>

/** A mutation that changes an issue, which the input identifies by the path of its project and its number. */
const change = (input: string, toUpdate: Change<IssueUpdate>['toUpdate']): Mutation => ({
  input: `projectPath: ID! iid: String! ${input}`,
  payload: 'issue: Issue',
  async run(fields: InProject, { session, site }) {
    const reference = { project: fields.projectPath, issue: Number(fields.iid) }
    const issue = await session.issues.update({ ...reference, ...(await toUpdate(fields, session)) })
    return { issue: IssueWire(issue, site) }
  },
})

const createIssue = async (
  input: InProject & { readonly title: string },
  { session, site }: GraphqlContext,
): Promise<Json> => {
  const project = input.projectPath
  const assignees = parseIdsOf('User', input.assigneeIds)
  const issue = await session.issues.create({
    project,
    title: input.title,
    ...pick(input, 'description', 'confidential', 'labels', 'dueDate', 'weight'),
    ...(await readLabelInput(session, { project }, { labelIds: input.labelIds })),
    ...(input.milestoneId != null && readMilestoneInput(input)),
    ...(assignees && { assignees }),
  })
  return { issue: IssueWire(issue, site) }
}

const moveIssue = async (
  input: InProject & { readonly targetProjectPath: string },
  { session, site }: GraphqlContext,
): Promise<Json> => {
  const issue = await session.issues.move({
    project: input.projectPath,
    issue: Number(input.iid),
    toProject: input.targetProjectPath,
  })
  return { issue: IssueWire(issue, site) }
}

/** Changes of issues. */
export const issueMutationPart: SchemaPart = {
  types: 'enum IssueStateEvent { REOPEN CLOSE }\n',
  mutations: {
    createIssue: {
      input:
        'projectPath: ID! title: String! description: String confidential: Boolean labels: [String!] labelIds: [LabelID!] milestoneId: MilestoneID assigneeIds: [UserID!] dueDate: Date weight: Int',
      payload: 'issue: Issue',
      run: createIssue,
    },
    updateIssue: change(
      'title: String description: String confidential: Boolean locked: Boolean stateEvent: IssueStateEvent dueDate: Date weight: Int milestoneId: ID labelIds: [ID!] addLabelIds: [ID!] removeLabelIds: [ID!]',
      async (input: InProject & { readonly locked?: boolean | null }, session) => ({
        ...pick(input, 'title', 'confidential'),
        ...pickNullable(input, 'description', 'dueDate', 'weight'),
        ...(input.locked != null && { discussionLocked: input.locked }),
        ...readStateEvent(input.stateEvent),
        ...readMilestoneInput(input),
        ...(await readLabelInput(session, { project: input.projectPath }, input)),
      }),
    ),
    issueSetAssignees: change(
      'assigneeUsernames: [String!]! operationMode: MutationOperationMode = REPLACE',
      async (
        { projectPath, iid, assigneeUsernames, operationMode }: InProject & { readonly assigneeUsernames: string[] },
        { issues },
      ) => {
        const { assignees } = await issues.get({ project: projectPath, issue: Number(iid) })
        return { assignees: changeUsers(assignees, assigneeUsernames, operationMode) }
      },
    ),
    issueSetConfidential: change('confidential: Boolean!', (input) => pick(input, 'confidential')),
    issueSetDueDate: change(
      '"Null removes it." dueDate: Date',
      ({ dueDate = null }: InProject & { readonly dueDate?: string | null }) => ({ dueDate }),
    ),
    issueSetWeight: change(
      '"Null removes it." weight: Int',
      ({ weight = null }: InProject & { readonly weight?: number | null }) => ({ weight }),
    ),
    issueSetLocked: change('locked: Boolean!', ({ locked }: InProject & { readonly locked: boolean }) => ({
      discussionLocked: locked,
    })),
    issueMove: {
      input: 'projectPath: ID! iid: String! targetProjectPath: ID!',
      payload: 'issue: Issue',
      run: moveIssue,
    },
  },
}
