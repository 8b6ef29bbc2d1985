import type { NoteableRef } from '../../packages/core/src/features/collaboration/notes/noteable.ts'
import { now, type RandomWorld } from './random-world.ts'

/**
 * An internal note for every object that can have notes, and a public one for every issue. The first user, the author of all
 * events, is the author of those in projects.
 */
export const notesOf = ({ issues, mergeRequests, snippets, epics }: RandomWorld) => {
  const noItem = { issueId: null, mergeRequestId: null, snippetId: null, epicId: null, groupId: null }
  const items = [
    ...issues.map(({ id: issueId, projectId }) => ({ ...noItem, issueId, projectId, authorId: 1 })),
    ...mergeRequests.map(({ id: mergeRequestId, projectId }) => ({
      ...noItem,
      mergeRequestId,
      projectId,
      authorId: 1,
    })),
    ...snippets.flatMap(({ id: snippetId, projectId }) =>
      projectId === null ? [] : [{ ...noItem, snippetId, projectId, authorId: 1 }],
    ),
    ...epics.map(({ id: epicId, groupId, authorId }) => ({ ...noItem, epicId, groupId, projectId: null, authorId })),
  ]
  return items
    .flatMap((item) => (item.issueId === null ? [true] : [true, false]).map((internal) => ({ ...item, internal })))
    .map((note, at) => ({ ...note, id: at + 1 }))
}

type Item = Omit<ReturnType<typeof notesOf>[number], 'id' | 'internal' | 'authorId'>

/** The input that identifies the item of a note. */
export const toNoteableRef = ({
  projectId,
  groupId,
  issueId,
  mergeRequestId,
  snippetId,
  epicId,
}: Item): NoteableRef => {
  if (groupId !== null) return { group: groupId, epicId: epicId as number }
  const project = projectId as number
  if (issueId !== null) return { project, issue: issueId }
  return mergeRequestId === null ? { project, snippet: snippetId as number } : { project, mergeRequest: mergeRequestId }
}

/** The target of an event. */
interface EventRow {
  readonly projectId: number
  readonly action: 'created' | 'commented' | 'pushed' | 'joined'
  readonly issueId?: number
  readonly mergeRequestId?: number
  readonly snippetId?: number
  readonly noteId?: number
  readonly internal?: boolean
}

/** One event for every object and note in a project, and one membership event and one push for every project. */
export const eventsOf = (world: RandomWorld) => {
  const { projects, issues, mergeRequests, snippets } = world
  const rows: EventRow[] = [
    ...projects.flatMap(({ id: projectId }): EventRow[] => [
      { projectId, action: 'joined' },
      { projectId, action: 'pushed' },
    ]),
    ...issues.map(({ id: issueId, projectId }): EventRow => ({ projectId, action: 'created', issueId })),
    ...mergeRequests.map(
      ({ id: mergeRequestId, projectId }): EventRow => ({ projectId, action: 'created', mergeRequestId }),
    ),
    ...snippets.flatMap(({ id: snippetId, projectId }): EventRow[] =>
      projectId === null ? [] : [{ projectId, action: 'commented', snippetId }],
    ),
    ...notesOf(world).flatMap(({ id: noteId, projectId, issueId, mergeRequestId, snippetId, internal }): EventRow[] => {
      if (projectId === null) return []
      const target = {
        ...(issueId && { issueId }),
        ...(mergeRequestId && { mergeRequestId }),
        ...(snippetId && { snippetId }),
      }
      return [{ projectId, action: 'commented', ...target, noteId, internal }]
    }),
  ]
  return rows.map((row, at) => ({
    issueId: null,
    mergeRequestId: null,
    milestoneId: null,
    snippetId: null,
    noteId: null,
    targetKind: null,
    internal: false,
    push: null,
    authorId: 1,
    createdAt: now,
    ...row,
    id: at + 1,
  }))
}
