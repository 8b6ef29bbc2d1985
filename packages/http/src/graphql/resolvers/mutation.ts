import { isPlatformError } from '@forgelet/core'
import { IssueWire } from '../../shapes/issue.ts'
import { MergeRequestWire } from '../../shapes/merge-request.ts'
import { parseIdOf } from '../global-id.ts'
import type { Arguments, GraphqlContext, Resolver, Resolvers } from '../resolver.ts'

/** Errors of the input, which mutations return instead of failing. */
const inputErrors = new Set(['invalid', 'invalid_input', 'conflict'])

/** A mutation with the name of the field that has its result. */
const mutation =
  (field: string, run: (input: Arguments, context: GraphqlContext) => Promise<unknown>): Resolver =>
  async (_source, { input }, context) => {
    const fields = input as Arguments
    const base = { client_mutation_id: fields.clientMutationId ?? null }
    try {
      return { ...base, [field]: await run(fields, context), errors: [] }
    } catch (error) {
      if (!isPlatformError(error) || !inputErrors.has(error.code)) throw error
      return { ...base, [field]: null, errors: [error.message] }
    }
  }

/** The values that are set, null ones only where null has a meaning. */
const pick = <K extends string>(input: Arguments, ...names: readonly K[]) =>
  Object.fromEntries(names.flatMap((name) => (input[name] == null ? [] : [[name, input[name]]]))) as Record<K, never>

const stateEvents: Readonly<Record<string, 'close' | 'reopen'>> = {
  CLOSE: 'close',
  REOPEN: 'reopen',
  CLOSED: 'close',
  OPEN: 'reopen',
}

const toStateEvent = (state: unknown) => (state == null ? {} : { stateEvent: stateEvents[state as string] as 'close' })

/** The changes that GraphQL permits. */
export const mutationResolvers: Resolvers = {
  createIssue: mutation('issue', async (input, { session, site }) => {
    const issue = await session.issues.create({
      project: input.projectPath as string,
      title: input.title as string,
      ...pick(input, 'description', 'confidential', 'labels', 'dueDate'),
      ...(input.assigneeIds != null && {
        assignees: (input.assigneeIds as string[]).map((id) => parseIdOf('User', id)),
      }),
    })
    return IssueWire(issue, site)
  }),
  updateIssue: mutation('issue', async (input, { session, site }) => {
    const issue = await session.issues.update({
      project: input.projectPath as string,
      issue: Number(input.iid),
      ...pick(input, 'title', 'description', 'confidential', 'dueDate'),
      ...toStateEvent(input.stateEvent),
    })
    return IssueWire(issue, site)
  }),
  mergeRequestCreate: mutation('merge_request', async (input, { session, site }) => {
    const mergeRequest = await session.mergeRequests.create({
      project: input.projectPath as string,
      title: input.title as string,
      sourceBranch: input.sourceBranch as string,
      targetBranch: input.targetBranch as string,
      ...pick(input, 'description', 'labels'),
    })
    return MergeRequestWire(mergeRequest, site)
  }),
  mergeRequestUpdate: mutation('merge_request', async (input, { session, site }) => {
    const mergeRequest = await session.mergeRequests.update({
      project: input.projectPath as string,
      mergeRequest: Number(input.iid),
      ...pick(input, 'title', 'description', 'targetBranch'),
      ...toStateEvent(input.state),
    })
    return MergeRequestWire(mergeRequest, site)
  }),
}
