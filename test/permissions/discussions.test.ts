import { describe } from 'vitest'
import { stored } from '../stored.ts'
import { everyRouteOf, permissionTable, type TableOptions, type Target, visibilities } from './matrix.ts'

/** What every group and project has. Everything is by `writer`, who is in no column. */
const subjects: Pick<TableOptions, 'users' | 'group' | 'project'> = {
  users: ['writer'],
  group: () => ({ epics: [{ title: 'An epic', author: 'writer' }] }),
  project: () => ({
    issues: [{ title: 'An issue', author: 'writer' }],
    mergeRequests: [{ title: 'A change', author: 'writer', sourceBranch: 'change' }],
    snippets: [{ title: 'A snippet', content: 'x', author: 'writer', visibility: 'public' }],
  }),
}

const indexOf = ({ visibility }: Target) => visibilities.indexOf(visibility)

/** The options of a table over the discussions at `base`: one discussion with one note in each place. */
const optionsOf = (
  base: string,
  parameter: string,
  subjectOf: (visibility: (typeof visibilities)[number], at: number) => { readonly [input: string]: string | number },
): TableOptions => {
  let discussions: { readonly id: string; readonly note: number | undefined }[] = []
  const one = `${base}/discussions/:discussion_id`
  return {
    ...subjects,
    prepare: async ({ host }) => {
      discussions = []
      for (const [at, visibility] of visibilities.entries()) {
        const input = { ...subjectOf(visibility, at), body: 'A discussion', author: 'writer' }
        const { id, notes } = await stored(
          host.discussions.create(input as Parameters<typeof host.discussions.create>[0]),
        )
        discussions.push({ id, note: notes[0]?.id })
      }
    },
    path: {
      [parameter]: (place) => (parameter.endsWith('_iid') ? 1 : indexOf(place) + 1),
      discussion_id: (place) => discussions[indexOf(place)]?.id,
      note_id: (place) => discussions[indexOf(place)]?.note,
    },
    bodies: {
      [`POST ${base}/discussions`]: { body: 'Another discussion' },
      [`POST ${one}/notes`]: { body: 'A reply' },
      [`PUT ${one}/notes/:note_id`]: { body: 'Edited' },
      [`PUT ${one}`]: { resolved: true },
    },
  }
}

// In the order of the columns: anonymous, non-member, guest, reporter, developer, maintainer, owner, admin.
const tableOf = (base: string, guest = (cell: string) => cell) =>
  [
    ['GET', '', '200·404·404 200·200·404', '200', '200 200 200 200 200'],
    ['GET', '/:discussion_id', '200·404·404 200·200·404', '200', '200 200 200 200 200'],
    ['POST', '', '401 201·201·404', '201', '201 201 201 201 201'],
    ['POST', '/:discussion_id/notes', '401 201·201·404', '201', '201 201 201 201 201'],
    ['GET', '/:discussion_id/notes/:note_id', '200·404·404 200·200·404', '200', '200 200 200 200 200'],
    ['PUT', '/:discussion_id/notes/:note_id', '401 403·403·404', '403', '403 403 200 200 200'],
    ['DELETE', '/:discussion_id/notes/:note_id', '401 403·403·404', '403', '403 403 204 204 204'],
  ]
    .map(([method, path, outside, cell = '', members]) =>
      [method, `${base}/discussions${path}`, outside, guest(cell), members].join(' '),
    )
    .join('\n')

describe('discussions of an issue', () => {
  const base = '/projects/:id/issues/:issue_iid'
  permissionTable(
    tableOf(base),
    optionsOf(base, 'issue_iid', (visibility) => ({ project: `${visibility}/code`, issue: 1 })),
  )
})

describe('discussions of a snippet', () => {
  const base = '/projects/:id/snippets/:snippet_id'
  permissionTable(
    tableOf(base),
    optionsOf(base, 'snippet_id', (visibility, at) => ({ project: `${visibility}/code`, snippet: at + 1 })),
  )
})

describe('discussions of a merge request', () => {
  const base = '/projects/:id/merge_requests/:merge_request_iid'
  // A guest of a private project sees the project, but not its merge requests.
  permissionTable(
    `${tableOf(base, () => '-')}
    PUT ${base}/discussions/:discussion_id 401 403·403·404 - 403 200 200 200 200`,
    optionsOf(base, 'merge_request_iid', (visibility) => ({ project: `${visibility}/code`, mergeRequest: 1 })),
  )
})

describe('resolving a single note of a merge request', () => {
  const base = '/projects/:id/merge_requests/:merge_request_iid'
  const call = `PUT ${base}/discussions/:discussion_id/notes/:note_id`
  const options = optionsOf(base, 'merge_request_iid', (visibility) => ({
    project: `${visibility}/code`,
    mergeRequest: 1,
  }))
  permissionTable(`${call} 401 403·403·404 - 403 200 200 200 200`, {
    ...options,
    bodies: { [call]: { resolved: true } },
  })
})

describe('discussions of an epic', () => {
  const base = '/groups/:id/epics/:epic_id'
  permissionTable(
    tableOf(base),
    optionsOf(base, 'epic_id', (visibility, at) => ({ group: visibility, epicId: at + 1 })),
  )
})

everyRouteOf('discussions')
