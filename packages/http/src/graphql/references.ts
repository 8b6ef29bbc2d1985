import { PlatformError, type Session } from '@forgelet/core'
import type { ItemReference } from '@forgelet/core/operations'
import { parseGlobalId, parseIdOf } from './global-id.ts'
import type { Json, With } from './resolver.ts'

/** An item, or a note of an item, in the input of operations. */
export type NoteReference = ItemReference & { readonly note: number }

/**
 * Issues and epics have ids of their own, but both are work items: as such, the ids of epics are greater by this number.
 */
const firstEpicWorkItem = 1_000_000_000_000

/** The number of an issue or epic as a work item. */
export const toWorkItemId = ({ id, group_id: group }: Json): number =>
  Number(id) + (group === undefined ? 0 : firstEpicWorkItem)

/** The JSON of an issue, a merge request or an epic: only that of an epic has a group, and no project. */
export type Item = With<{ iid: number; project_id: number; group_id?: number }>

/** The reference of the JSON of an issue, a merge request or an epic. */
export const getReference = ({ iid, project_id: project, group_id: group, source_branch: branch }: Item) => {
  if (group !== undefined) return { group, epic: iid }
  if (branch !== undefined) return { project, mergeRequest: iid }
  return { project, issue: iid }
}

const itemKinds: ReadonlyMap<string, 'issue' | 'mergeRequest' | 'snippet' | 'epic'> = new Map([
  ['Issue', 'issue'],
  ['MergeRequest', 'mergeRequest'],
  ['ProjectSnippet', 'snippet'],
  ['Epic', 'epic'],
])

/**
 * The item with a global id, as the input of operations.
 *
 * @throws PlatformError `invalid_input` for the id of another kind, `not_found` for an item that the current user cannot see
 */
export const findItem = async ({ globalIds }: Session, text: unknown): Promise<ItemReference> => {
  const { kind } = parseGlobalId(text)
  if (kind === 'WorkItem') {
    const id = parseIdOf('WorkItem', text)
    return id > firstEpicWorkItem
      ? globalIds.findItem({ kind: 'epic', id: id - firstEpicWorkItem })
      : globalIds.findItem({ kind: 'issue', id })
  }
  const known = itemKinds.get(kind)
  if (known === undefined) throw new PlatformError('invalid_input', `A ${kind} is not an item`)
  return globalIds.findItem({ kind: known, id: parseIdOf(kind, text) })
}

export const noteKinds = ['Note', 'DiscussionNote', 'DiffNote'] as const

/** The note with a global id. */
export const findNote = ({ globalIds }: Session, text: unknown) =>
  globalIds.findNote({ id: parseIdOf(noteKinds, text) })

/** The discussion with a global id. */
export const findDiscussion = ({ globalIds }: Session, text: unknown) => {
  const { kind, id } = parseGlobalId(text)
  if (kind !== 'Discussion') throw new PlatformError('invalid_input', `A ${kind} is not a discussion`)
  return globalIds.findDiscussion({ id })
}

/** A work item that is an issue. */
export const findIssue = async (session: Session, text: unknown) => {
  const reference = await findItem(session, text)
  if (!('issue' in reference)) throw new PlatformError('invalid', 'Only issues are supported')
  return reference
}

/** A merge request. */
export const findMergeRequest = async (session: Session, text: unknown) => {
  const reference = await findItem(session, text)
  if (!('mergeRequest' in reference)) throw new PlatformError('invalid', 'Only merge requests are supported')
  return reference
}
