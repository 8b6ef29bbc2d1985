import { PlatformError, type Session } from '@forgelet/core'
import { findIssue } from '../references.ts'
import type { GraphqlContext, Json, With } from '../resolver.ts'
import type { SchemaPart } from '../schema-part.ts'
import { toPayload } from './work-item-mutations.ts'

const linkTypes = {
  RELATED: 'relates_to',
  BLOCKS: 'blocks',
  BLOCKED_BY: 'is_blocked_by',
} as const

type LinkInput = With<{ workItemsIds: readonly unknown[] }>

const maxLinks = 10

const findTargets = (session: Session, { workItemsIds: ids }: LinkInput) => {
  if (ids.length > maxLinks)
    throw new PlatformError('invalid_input', `No more than ${maxLinks} work items can be linked`)
  return Promise.all(ids.map((id) => findIssue(session, id)))
}

const addLinks = async (
  input: LinkInput & { readonly linkType: keyof typeof linkTypes },
  context: GraphqlContext,
): Promise<Json> => {
  const { session } = context
  const issue = await findIssue(session, input.id)
  const linkType = linkTypes[input.linkType]
  for (const target of await findTargets(session, input))
    await session.issueLinks.create({ ...issue, linkType, targetProject: target.project, targetIssue: target.issue })
  return toPayload(await session.issues.get(issue), context)
}

const removeLinks = async (input: LinkInput, context: GraphqlContext): Promise<Json> => {
  const { session } = context
  const issue = await findIssue(session, input.id)
  const targets = await findTargets(session, input)
  const { items } = await session.issueLinks.list({ ...issue, perPage: 100 })
  const links = targets.map((target) =>
    items.find(({ projectId, iid }) => projectId === target.project && iid === target.issue),
  )
  for (const link of links) {
    if (!link) throw new PlatformError('invalid', 'The work items are not linked')
    await session.issueLinks.remove({ ...issue, issueLink: link.issueLinkId })
  }
  return toPayload(await session.issues.get(issue), context)
}

/** Changes of the links between issues. */
export const workItemLinkPart: SchemaPart = {
  types: 'enum WorkItemRelatedLinkType { RELATED BLOCKS BLOCKED_BY }\n',
  mutations: {
    workItemAddLinkedItems: {
      input: 'id: WorkItemID! workItemsIds: [WorkItemID!]! linkType: WorkItemRelatedLinkType = RELATED',
      payload: 'workItem: WorkItem',
      run: addLinks,
    },
    workItemRemoveLinkedItems: {
      input: 'id: WorkItemID! workItemsIds: [WorkItemID!]!',
      payload: 'workItem: WorkItem',
      run: removeLinks,
    },
  },
}
