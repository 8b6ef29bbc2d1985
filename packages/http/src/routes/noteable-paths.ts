/** The paths of the items that have notes, discussions, emoji and recorded changes, and the inputs that identify them. */
export const noteablePaths = [
  { base: '/projects/:id/issues/:issue_iid', parameter: 'issue_iid', input: 'issue' },
  { base: '/projects/:id/snippets/:snippet_id', parameter: 'snippet_id', input: 'snippet' },
  { base: '/projects/:id/merge_requests/:merge_request_iid', parameter: 'merge_request_iid', input: 'mergeRequest' },
  { base: '/groups/:id/epics/:epic_id', parameter: 'epic_id', input: 'epicId' },
] as const

/** Paths contain the id of an epic, except those of its own emoji, which contain its iid. Commits have routes of their own. */
const inputs: readonly string[] = [...noteablePaths.map(({ input }) => input), 'epic', 'commit']

/** The inputs that identify other items than `input`: the routes of an item hide them. */
export const listOtherInputs = (input: string): string[] => inputs.filter((other) => other !== input)
