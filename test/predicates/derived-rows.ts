import { now, type RandomWorld } from './random-world.ts'

/** What an event is about, and where. */
interface EventRow {
  readonly projectId: number
  readonly action: 'created' | 'commented' | 'pushed' | 'joined'
  readonly issueId?: number
  readonly mergeRequestId?: number
  readonly snippetId?: number
}

/** One event of every thing there is in projects, one of every project as such, and a push to each. */
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
