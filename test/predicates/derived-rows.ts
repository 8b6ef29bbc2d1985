import { now, type RandomWorld } from './random-world.ts'

/** The target of an event. */
interface EventRow {
  readonly projectId: number
  readonly action: 'created' | 'commented' | 'pushed' | 'joined'
  readonly issueId?: number
  readonly mergeRequestId?: number
  readonly snippetId?: number
}

/** One event for every object in a project, and one membership event and one push for every project. */
export const eventsOf = ({ projects, issues, mergeRequests, snippets }: RandomWorld) => {
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
  ]
  return rows.map((row, at) => ({
    issueId: null,
    mergeRequestId: null,
    milestoneId: null,
    snippetId: null,
    noteId: null,
    targetKind: null,
    push: null,
    authorId: 1,
    createdAt: now,
    ...row,
    id: at + 1,
  }))
}
