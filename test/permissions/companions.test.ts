import type { FakeForge } from '@forgelet/fixtures'
import { describe } from 'vitest'
import { everyRouteOf, permissionTable, type TableOptions, visibilities } from './matrix.ts'

/** Everything is by `writer`, who is in no column. */
const options: TableOptions = {
  users: ['writer'],
  project: () => ({
    issues: [{ title: 'An issue', author: 'writer' }],
    mergeRequests: [{ title: 'A change', author: 'writer', sourceBranch: 'change' }],
  }),
  path: { user: ({ users }) => users.writer },
  personal: ['GET /version', 'GET /user', 'GET /users', 'GET /users/:user'],
  bodies: {
    'POST /projects/:id/issues': { title: 'Another issue' },
    'PUT /projects/:id/issues/1': { title: 'Better' },
    'POST /projects/:id/issues/1/award_emoji': { name: 'rocket' },
    'POST /projects/:id/merge_requests': { title: 'Another', source_branch: 'another', target_branch: 'main' },
    'PUT /projects/:id/merge_requests/1': { title: 'Better' },
    'POST /projects/:id/merge_requests/1/award_emoji': { name: 'rocket' },
    'POST /projects/:id/milestones': { title: 'Next' },
  },
}

describe('version, users and projects', () => {
  permissionTable(
    `
    call              anonymous   non-member  guest reporter developer maintainer owner admin
    GET /version      401         200         200   200      200       200        200   200
    GET /user         401         200         200   200      200       200        200   200
    GET /users        401         200         200   200      200       200        200   200
    GET /users/:user  401         200         200   200      200       200        200   200
    GET /projects     200         200         200   200      200       200        200   200
    GET /projects/:id 200·404·404 200·200·404 200   200      200       200        200   200
    `,
    options,
  )
})

describe("somebody else's issue", () => {
  permissionTable(
    `
    call                                    anonymous   non-member  guest reporter developer maintainer owner admin
    GET  /projects/:id/issues               200·404·404 200·200·404 200   200      200       200        200   200
    POST /projects/:id/issues               401         200·200·404 200   200      200       200        200   200
    GET  /projects/:id/issues/1             200·404·404 200·200·404 200   200      200       200        200   200
    PUT  /projects/:id/issues/1             401         403·403·404 403   200      200       200        200   200
    GET  /projects/:id/issues/1/award_emoji 200·404·404 200·200·404 200   200      200       200        200   200
    POST /projects/:id/issues/1/award_emoji 401         200·200·404 200   200      200       200        200   200
    GET  /projects/:id/milestones           200·404·404 200·200·404 200   200      200       200        200   200
    POST /projects/:id/milestones           401         403·403·404 403   200      200       200        200   200
    `,
    options,
  )
})

describe("somebody else's merge request", () => {
  // A guest of a private project sees the project, but not its merge requests.
  permissionTable(
    `
    call                                            anonymous   non-member  guest reporter developer maintainer owner admin
    GET  /projects/:id/merge_requests               200·404·404 200·200·404 200·200·403 200      200       200        200   200
    POST /projects/:id/merge_requests               401         403·403·404 403   403      200       200        200   200
    PUT  /projects/:id/merge_requests/1             401         403·403·404 -     403      200       200        200   200
    PUT  /projects/:id/merge_requests/1/merge       401         403·403·404 -     403      200       200        200   200
    GET  /projects/:id/merge_requests/1/participants 200·404·404 200·200·404 -    200      200       200        200   200
    GET  /projects/:id/merge_requests/1/reviewers   200·404·404 200·200·404 -     200      200       200        200   200
    GET  /projects/:id/merge_requests/1/award_emoji 200·404·404 200·200·404 -     200      200       200        200   200
    POST /projects/:id/merge_requests/1/award_emoji 401         200·200·404 -     200      200       200        200   200
    `,
    options,
  )
})

/** Branches for a merge request that can be rebased. */
const createBranches = async ({ host }: FakeForge) => {
  const author = { name: 'Writer', email: 'writer@example.com' }
  for (const visibility of visibilities) {
    const commits = ['main', 'change'].map((branch, at) => ({
      branch,
      message: branch,
      author,
      files: [{ path: branch, content: branch }],
      ...(at > 0 && { parents: [0] }),
    }))
    await host.repository.commit({ project: `${visibility}/code`, commits })
  }
}

describe('a merge request with branches', () => {
  permissionTable(
    `
    call                                      anonymous non-member  guest reporter developer maintainer owner admin
    PUT /projects/:id/merge_requests/1/rebase 401       403·403·404 -     403      202       202        202   202
    `,
    { ...options, prepare: createBranches },
  )
})

everyRouteOf('instance', 'users', 'projects', 'issues', 'award emoji', 'merge requests', 'milestones')
