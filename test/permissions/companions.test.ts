import type { FakeForge } from '@forgelet/fixtures'
import { describe } from 'vitest'
import {
  everyRouteOf,
  permissionTable,
  signedInCallers,
  type TableOptions,
  type Target,
  visibilities,
} from './matrix.ts'
import { createBranches } from './merge-request-branches.ts'

/** Everything is by `writer`, who is in no column. */
const options: TableOptions = {
  users: ['writer'],
  project: () => ({
    issues: [{ title: 'An issue', author: 'writer' }],
    mergeRequests: [{ title: 'A change', author: 'writer', sourceBranch: 'change' }],
  }),
  personal: ['GET /version', 'GET /metadata'],
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

describe('version', () => {
  permissionTable(
    `
    call              anonymous   non-member  guest reporter developer maintainer owner admin
    GET /version      401         200         200   200      200       200        200   200
    GET /metadata     401         200         200   200      200       200        200   200
    GET /application/statistics 401 403       403   403      403       403        403   200
    GET /license                401 403       403   403      403       403        403   200
    `,
    options,
  )
})

describe("somebody else's issue", () => {
  permissionTable(
    `
    call                                    anonymous   non-member  guest reporter developer maintainer owner admin
    GET  /projects/:id/issues               200·404·404 200·200·404 200   200      200       200        200   200
    POST /projects/:id/issues               401         201·201·404 201   201      201       201        201   201
    GET  /projects/:id/issues/1             200·404·404 200·200·404 200   200      200       200        200   200
    PUT  /projects/:id/issues/1             401         403·403·404 403   200      200       200        200   200
    GET  /projects/:id/issues/1/award_emoji 200·404·404 200·200·404 200   200      200       200        200   200
    POST /projects/:id/issues/1/award_emoji 401         201·201·404 201   201      201       201        201   201
    GET  /projects/:id/milestones           200·404·404 200·200·404 200   200      200       200        200   200
    POST /projects/:id/milestones           401         403·403·404 403   201      201       201        201   201
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
    POST /projects/:id/merge_requests               401         403·403·404 403   403      201       201        201   201
    PUT  /projects/:id/merge_requests/1             401         403·403·404 -     403      200       200        200   200
    PUT  /projects/:id/merge_requests/1/merge       401         403·403·404 -     403      200       200        200   200
    GET  /projects/:id/merge_requests/1/reviewers   200·404·404 200·200·404 -     200      200       200        200   200
    GET  /projects/:id/merge_requests/1/award_emoji 200·404·404 200·200·404 -     200      200       200        200   200
    POST /projects/:id/merge_requests/1/award_emoji 401         201·201·404 -     201      201       201        201   201
    `,
    options,
  )
})

describe('a merge request with branches', () => {
  permissionTable(
    `
    call                                      anonymous non-member  guest reporter developer maintainer owner admin
    PUT /projects/:id/merge_requests/1/rebase 401       403·403·404 -     403      202       202        202   202
    GET /projects/:id/merge_requests/1/merge_ref 200·404·404 200·200·404 - 200   200       200        200   200
    `,
    { ...options, prepare: createBranches },
  )
})

describe('a merge request that waits for its pipeline', () => {
  const cancel = 'POST /projects/:id/merge_requests/1/cancel_merge_when_pipeline_succeeds'
  permissionTable(`${cancel} 401 403·403·404 - 403 201 201 201 201`, {
    ...options,
    prepare: async ({ host }) => {
      for (const visibility of visibilities) {
        const project = `${visibility}/code`
        const jobs = [{ name: 'test' }]
        await host.pipelines.record({ project, ref: 'x', mergeRequest: 1, sha: 'a'.repeat(40), jobs })
        await host.mergeRequests.merge({ project, mergeRequest: 1, autoMerge: true })
      }
    },
  })
})

describe('the removal of a merge request', () => {
  permissionTable(
    `
    call anonymous non-member guest reporter developer maintainer owner admin
    DELETE /projects/:id/merge_requests/1 401 403·403·404 - 403 403 403 204 204
    `,
    options,
  )
})

/** One for each visibility, in order. */
const nth = ({ visibility }: Target) => visibilities.indexOf(visibility) + 1

const work = { duration: '1h' }

describe('lists over several projects', () => {
  permissionTable(
    `
    call anonymous non-member guest reporter developer maintainer owner admin
    GET    /issues 401 200 200 200 200 200 200 200
    GET    /merge_requests 401 200 200 200 200 200 200 200
    GET    /groups/:id/issues 200·404·404 200·200·404 200 200 200 200 200 200
    GET    /groups/:id/merge_requests 200·404·404 200·200·404 200 200 200 200 200 200
    `,
    options,
  )
})

describe('an issue by its id, its removal and its move', () => {
  permissionTable(
    `
    call anonymous non-member guest reporter developer maintainer owner admin
    GET    /issues/:issue_id 401 403 403 403 403 403 403 200
    DELETE /projects/:id/issues/1 401 403·403·404 403 403 403 403 204 204
    POST   /projects/:id/issues/1/move 401 403·403·404 403 403 403 403 403 201
    POST   /projects/:id/issues/1/clone 401 403·403·404 403 403 403 403 403 201
    PUT    /projects/:id/issues/1/reorder 401 403·403·404 403 200 200 200 200 200
    `,
    {
      ...options,
      users: ['writer', 'stranger'],
      path: { issue_id: nth },
      bodies: {
        'POST /projects/:id/issues/1/move': { to_project_id: 'stranger/target' },
        'POST /projects/:id/issues/1/clone': { to_project_id: 'stranger/target' },
        'PUT /projects/:id/issues/1/reorder': (target) => ({ move_after_id: nth(target) }),
      },
      prepare: async ({ host }) => {
        await host.projects.create({ name: 'target', namespace: 'stranger', visibility: 'public' } as never)
      },
    },
  )
})

describe('parts of issues and merge requests', () => {
  permissionTable(
    `
    call anonymous non-member guest reporter developer maintainer owner admin
    GET    /projects/:id/issues/1/participants 200·404·404 200·200·404 200 200 200 200 200 200
    GET    /projects/:id/issues/1/time_stats 200·404·404 200·200·404 200 200 200 200 200 200
    POST   /projects/:id/issues/1/time_estimate 401 403·403·404 403 200 200 200 200 200
    POST   /projects/:id/issues/1/reset_time_estimate 401 403·403·404 403 200 200 200 200 200
    POST   /projects/:id/issues/1/add_spent_time 401 403·403·404 403 201 201 201 201 201
    POST   /projects/:id/issues/1/reset_spent_time 401 403·403·404 403 200 200 200 200 200
    POST   /projects/:id/issues/1/subscribe 401 201·201·404 201 201 201 201 201 201
    GET    /projects/:id/merge_requests/1/participants 200·404·404 200·200·404 - 200 200 200 200 200
    GET    /projects/:id/merge_requests/1/time_stats 200·404·404 200·200·404 - 200 200 200 200 200
    POST   /projects/:id/merge_requests/1/time_estimate 401 403·403·404 - 200 200 200 200 200
    POST   /projects/:id/merge_requests/1/reset_time_estimate 401 403·403·404 - 200 200 200 200 200
    POST   /projects/:id/merge_requests/1/add_spent_time 401 403·403·404 - 201 201 201 201 201
    POST   /projects/:id/merge_requests/1/reset_spent_time 401 403·403·404 - 200 200 200 200 200
    POST   /projects/:id/merge_requests/1/subscribe 401 201·201·404 - 201 201 201 201 201
    `,
    {
      ...options,
      bodies: Object.fromEntries(
        ['issues', 'merge_requests'].flatMap((kind) =>
          ['time_estimate', 'add_spent_time'].map((name) => [`POST /projects/:id/${kind}/1/${name}`, work]),
        ),
      ),
    },
  )

  // The caller is subscribed first.
  permissionTable(
    `
    call anonymous non-member guest reporter developer maintainer owner admin
    POST   /projects/:id/issues/1/unsubscribe 401 201·201·404 201 201 201 201 201 201
    POST   /projects/:id/merge_requests/1/unsubscribe 401 201·201·404 - 201 201 201 201 201
    `,
    {
      ...options,
      prepare: async ({ as }) => {
        for (const caller of signedInCallers) {
          for (const visibility of visibilities) {
            const project = `${visibility}/code`
            const { subscriptions } = as(caller)
            await subscriptions.subscribe({ project, issue: 1 }).catch(() => undefined)
            await subscriptions.subscribe({ project, mergeRequest: 1 }).catch(() => undefined)
          }
        }
      },
    },
  )
})

describe('links of issues', () => {
  permissionTable(
    `
    call anonymous non-member guest reporter developer maintainer owner admin
    GET    /projects/:id/issues/1/links 200·404·404 200·200·404 200 200 200 200 200 200
    POST   /projects/:id/issues/1/links 401 403·403·404 201 201 201 201 201 201
    GET    /projects/:id/issues/1/links/:issue_link_id 200·404·404 200·200·404 200 200 200 200 200 200
    DELETE /projects/:id/issues/1/links/:issue_link_id 401 403·403·404 200 200 200 200 200 200
    `,
    {
      ...options,
      project: () => ({
        issues: ['An issue', 'Another issue', 'A third issue'].map((title) => ({ title, author: 'writer' })),
      }),
      path: { issue_link_id: nth },
      bodies: {
        'POST /projects/:id/issues/1/links': ({ project }) => ({ target_project_id: project, target_issue_iid: 3 }),
      },
      prepare: async ({ host }) => {
        for (const visibility of visibilities) {
          const project = `${visibility}/code`
          await host.issueLinks.create({ project, issue: 1, targetProject: project, targetIssue: 2 })
        }
      },
    },
  )
})

describe('milestones', () => {
  permissionTable(
    `
    call anonymous non-member guest reporter developer maintainer owner admin
    GET    /projects/:id/milestones/:milestone_id 200·404·404 200·200·404 200 200 200 200 200 200
    PUT    /projects/:id/milestones/:milestone_id 401 403·403·404 403 200 200 200 200 200
    DELETE /projects/:id/milestones/:milestone_id 401 403·403·404 403 204 204 204 204 204
    GET    /projects/:id/milestones/:milestone_id/issues 200·404·404 200·200·404 200 200 200 200 200 200
    GET    /projects/:id/milestones/:milestone_id/merge_requests 200·404·404 200·200·404 200 200 200 200 200 200
    POST   /projects/:id/milestones/:milestone_id/promote 401 403·403·404 403 200 200 200 200 200
    `,
    {
      ...options,
      path: { milestone_id: nth },
      bodies: {
        'PUT /projects/:id/milestones/:milestone_id': { title: 'Better' },
        'POST /projects/:id/milestones': { title: 'Next' },
      },
      prepare: async ({ host }) => {
        for (const visibility of visibilities)
          await host.milestones.create({ project: `${visibility}/code`, title: 'Now' })
      },
    },
  )

  permissionTable(
    `
    call anonymous non-member guest reporter developer maintainer owner admin
    GET    /groups/:id/milestones 200·404·404 200·200·404 200 200 200 200 200 200
    POST   /groups/:id/milestones 401 403·403·404 403 201 201 201 201 201
    GET    /groups/:id/milestones/:milestone_id 200·404·404 200·200·404 200 200 200 200 200 200
    PUT    /groups/:id/milestones/:milestone_id 401 403·403·404 403 200 200 200 200 200
    DELETE /groups/:id/milestones/:milestone_id 401 403·403·404 403 204 204 204 204 204
    GET    /groups/:id/milestones/:milestone_id/issues 200·404·404 200·200·404 200 200 200 200 200 200
    GET    /groups/:id/milestones/:milestone_id/merge_requests 200·404·404 200·200·404 200 200 200 200 200 200
    `,
    {
      ...options,
      path: { milestone_id: nth },
      bodies: {
        'PUT /groups/:id/milestones/:milestone_id': { title: 'Better' },
        'POST /groups/:id/milestones': { title: 'Next' },
      },
      prepare: async ({ host }) => {
        for (const visibility of visibilities) await host.milestones.create({ group: visibility, title: 'Now' })
      },
    },
  )
})

type Session = ReturnType<FakeForge['as']>

/** The data of the tables of emoji, all of which the writer gives. */
const awardOptions: TableOptions = {
  ...options,
  group: () => ({
    epics: [{ title: 'An epic', author: 'writer' }],
    members: [{ user: 'writer', access: 'developer' }],
  }),
  project: () => ({
    ...options.project?.('public'),
    snippets: [{ title: 'A snippet', content: 'x', author: 'writer', visibility: 'public' }],
  }),
  path: { award_id: nth, note_id: nth, snippet_id: nth, epic_id: nth },
}

const prepareAwards = async (
  as: FakeForge['as'],
  give: (writer: Session, project: string, nth: number, group: string) => Promise<unknown>,
) => {
  for (const [at, visibility] of visibilities.entries()) {
    await give(as('writer'), `${visibility}/code`, at + 1, visibility)
  }
}

describe('emoji of somebody else', () => {
  permissionTable(
    `
    call anonymous non-member guest reporter developer maintainer owner admin
    GET    /projects/:id/issues/1/award_emoji 200·404·404 200·200·404 200 200 200 200 200 200
    POST   /projects/:id/issues/1/award_emoji 401 201·201·404 201 201 201 201 201 201
    GET    /projects/:id/issues/1/award_emoji/:award_id 200·404·404 200·200·404 200 200 200 200 200 200
    DELETE /projects/:id/issues/1/award_emoji/:award_id 401 403·403·404 403 403 403 403 403 204
    `,
    {
      ...awardOptions,
      prepare: ({ as }) =>
        prepareAwards(as, ({ awardEmoji }, project) => awardEmoji.create({ project, issue: 1, name: 'rocket' })),
      bodies: { 'POST /projects/:id/issues/1/award_emoji': { name: 'tada' } },
    },
  )
  permissionTable(
    `
    call anonymous non-member guest reporter developer maintainer owner admin
    GET    /projects/:id/merge_requests/1/award_emoji 200·404·404 200·200·404 - 200 200 200 200 200
    POST   /projects/:id/merge_requests/1/award_emoji 401 201·201·404 - 201 201 201 201 201
    GET    /projects/:id/merge_requests/1/award_emoji/:award_id 200·404·404 200·200·404 - 200 200 200 200 200
    DELETE /projects/:id/merge_requests/1/award_emoji/:award_id 401 403·403·404 - 403 403 403 403 204
    `,
    {
      ...awardOptions,
      prepare: ({ as }) =>
        prepareAwards(as, ({ awardEmoji }, project) => awardEmoji.create({ project, mergeRequest: 1, name: 'rocket' })),
      bodies: { 'POST /projects/:id/merge_requests/1/award_emoji': { name: 'tada' } },
    },
  )
  permissionTable(
    `
    call anonymous non-member guest reporter developer maintainer owner admin
    GET    /projects/:id/snippets/:snippet_id/award_emoji 200·404·404 200·200·404 200 200 200 200 200 200
    POST   /projects/:id/snippets/:snippet_id/award_emoji 401 201·201·404 201 201 201 201 201 201
    GET    /projects/:id/snippets/:snippet_id/award_emoji/:award_id 200·404·404 200·200·404 200 200 200 200 200 200
    DELETE /projects/:id/snippets/:snippet_id/award_emoji/:award_id 401 403·403·404 403 403 403 403 403 204
    `,
    {
      ...awardOptions,
      prepare: ({ as }) =>
        prepareAwards(as, ({ awardEmoji }, project, snippet) =>
          awardEmoji.create({ project, snippet, name: 'rocket' }),
        ),
      bodies: { 'POST /projects/:id/snippets/:snippet_id/award_emoji': { name: 'tada' } },
    },
  )
  permissionTable(
    `
    call anonymous non-member guest reporter developer maintainer owner admin
    GET    /groups/:id/epics/1/award_emoji 200·404·404 200·200·404 200 200 200 200 200 200
    POST   /groups/:id/epics/1/award_emoji 401 201·201·404 201 201 201 201 201 201
    GET    /groups/:id/epics/1/award_emoji/:award_id 200·404·404 200·200·404 200 200 200 200 200 200
    DELETE /groups/:id/epics/1/award_emoji/:award_id 401 403·403·404 403 403 403 403 403 204
    `,
    {
      ...awardOptions,
      prepare: ({ as }) =>
        prepareAwards(as, ({ awardEmoji }, _project, _nth, group) =>
          awardEmoji.create({ group, epic: 1, name: 'rocket' }),
        ),
      bodies: { 'POST /groups/:id/epics/1/award_emoji': { name: 'tada' } },
    },
  )
  permissionTable(
    `
    call anonymous non-member guest reporter developer maintainer owner admin
    GET    /projects/:id/issues/1/notes/:note_id/award_emoji 200·404·404 200·200·404 200 200 200 200 200 200
    POST   /projects/:id/issues/1/notes/:note_id/award_emoji 401 201·201·404 201 201 201 201 201 201
    GET    /projects/:id/issues/1/notes/:note_id/award_emoji/:award_id 200·404·404 200·200·404 200 200 200 200 200 200
    DELETE /projects/:id/issues/1/notes/:note_id/award_emoji/:award_id 401 403·403·404 403 403 403 403 403 204
    `,
    {
      ...awardOptions,
      prepare: ({ as }) =>
        prepareAwards(as, async ({ notes, awardEmoji }, project, number, _group) => {
          const target = { project, issue: 1 }
          await notes.create({ ...target, body: 'A note' })
          await awardEmoji.create({ ...target, note: number, name: 'rocket' })
        }),
      bodies: { 'POST /projects/:id/issues/1/notes/:note_id/award_emoji': { name: 'tada' } },
    },
  )
  permissionTable(
    `
    call anonymous non-member guest reporter developer maintainer owner admin
    GET    /projects/:id/merge_requests/1/notes/:note_id/award_emoji 200·404·404 200·200·404 - 200 200 200 200 200
    POST   /projects/:id/merge_requests/1/notes/:note_id/award_emoji 401 201·201·404 - 201 201 201 201 201
    GET    /projects/:id/merge_requests/1/notes/:note_id/award_emoji/:award_id 200·404·404 200·200·404 - 200 200 200 200 200
    DELETE /projects/:id/merge_requests/1/notes/:note_id/award_emoji/:award_id 401 403·403·404 - 403 403 403 403 204
    `,
    {
      ...awardOptions,
      prepare: ({ as }) =>
        prepareAwards(as, async ({ notes, awardEmoji }, project, number, _group) => {
          const target = { project, mergeRequest: 1 }
          await notes.create({ ...target, body: 'A note' })
          await awardEmoji.create({ ...target, note: number, name: 'rocket' })
        }),
      bodies: { 'POST /projects/:id/merge_requests/1/notes/:note_id/award_emoji': { name: 'tada' } },
    },
  )
  permissionTable(
    `
    call anonymous non-member guest reporter developer maintainer owner admin
    GET    /projects/:id/snippets/:snippet_id/notes/:note_id/award_emoji 200·404·404 200·200·404 200 200 200 200 200 200
    POST   /projects/:id/snippets/:snippet_id/notes/:note_id/award_emoji 401 201·201·404 201 201 201 201 201 201
    GET    /projects/:id/snippets/:snippet_id/notes/:note_id/award_emoji/:award_id 200·404·404 200·200·404 200 200 200 200 200 200
    DELETE /projects/:id/snippets/:snippet_id/notes/:note_id/award_emoji/:award_id 401 403·403·404 403 403 403 403 403 204
    `,
    {
      ...awardOptions,
      prepare: ({ as }) =>
        prepareAwards(as, async ({ notes, awardEmoji }, project, number, _group) => {
          const target = { project, snippet: number }
          await notes.create({ ...target, body: 'A note' })
          await awardEmoji.create({ ...target, note: number, name: 'rocket' })
        }),
      bodies: { 'POST /projects/:id/snippets/:snippet_id/notes/:note_id/award_emoji': { name: 'tada' } },
    },
  )
  permissionTable(
    `
    call anonymous non-member guest reporter developer maintainer owner admin
    GET    /groups/:id/epics/:epic_id/notes/:note_id/award_emoji 200·404·404 200·200·404 200 200 200 200 200 200
    POST   /groups/:id/epics/:epic_id/notes/:note_id/award_emoji 401 201·201·404 201 201 201 201 201 201
    GET    /groups/:id/epics/:epic_id/notes/:note_id/award_emoji/:award_id 200·404·404 200·200·404 200 200 200 200 200 200
    DELETE /groups/:id/epics/:epic_id/notes/:note_id/award_emoji/:award_id 401 403·403·404 403 403 403 403 403 204
    `,
    {
      ...awardOptions,
      prepare: ({ as }) =>
        prepareAwards(as, async ({ notes, awardEmoji }, _project, number, group) => {
          const target = { group, epicId: number }
          await notes.create({ ...target, body: 'A note' })
          await awardEmoji.create({ ...target, note: number, name: 'rocket' })
        }),
      bodies: { 'POST /groups/:id/epics/:epic_id/notes/:note_id/award_emoji': { name: 'tada' } },
    },
  )
})

describe('epics', () => {
  permissionTable(
    `
    call anonymous non-member guest reporter developer maintainer owner admin
    GET    /groups/:id/epics 200·404·404 200·200·404 200 200 200 200 200 200
    POST   /groups/:id/epics 401 403·403·404 403 201 201 201 201 201
    GET    /groups/:id/epics/:epic_iid 200·404·404 200·200·404 200 200 200 200 200 200
    PUT    /groups/:id/epics/:epic_iid 401 403·403·404 403 200 200 200 200 200
    DELETE /groups/:id/epics/:epic_iid 401 403·403·404 403 403 403 403 204 204
    `,
    {
      ...awardOptions,
      path: { epic_iid: () => 1 },
      bodies: { 'POST /groups/:id/epics': { title: 'New' }, 'PUT /groups/:id/epics/:epic_iid': { title: 'Better' } },
    },
  )
})

describe('children of epics', () => {
  permissionTable(
    `
    call anonymous non-member guest reporter developer maintainer owner admin
    GET    /groups/:id/epics/1/epics 200·404·404 200·200·404 200 200 200 200 200 200
    POST   /groups/:id/epics/1/epics 401 403·403·404 403 201 201 201 201 201
    POST   /groups/:id/epics/1/epics/:other_epic 401 403·403·404 403 201 201 201 201 201
    PUT    /groups/:id/epics/1/epics/:child_epic_id 401 403·403·404 403 200 200 200 200 200
    DELETE /groups/:id/epics/1/epics/:child_epic_id 401 403·403·404 403 200 200 200 200 200
    `,
    {
      ...awardOptions,
      prepare: async ({ host }) => {
        for (const group of visibilities) {
          await host.epics.create({ group, title: 'A child', author: 'writer', parent: 1 })
          await host.epics.create({ group, title: 'Another one', author: 'writer' })
        }
      },
      // After the three epics of the seed.
      path: { child_epic_id: (target) => 2 * nth(target) + 2, other_epic: (target) => 2 * nth(target) + 3 },
      bodies: { 'POST /groups/:id/epics/1/epics': { title: 'New' } },
    },
  )
})

describe('issues of epics', () => {
  // A non-member cannot change the epic; the issues of a private project are out of sight with their group.
  permissionTable(
    `
    call anonymous non-member guest reporter developer maintainer owner admin
    GET    /groups/:id/epics/1/issues 200·404·404 200·200·404 200 200 200 200 200 200
    POST   /groups/:id/epics/1/issues/:issue_id 401 403·403·404 403 201 201 201 201 201
    PUT    /groups/:id/epics/1/issues/:epic_issue_id 401 403·403·404 403 200 200 200 200 200
    DELETE /groups/:id/epics/1/issues/:epic_issue_id 401 403·403·404 403 200 200 200 200 200
    `,
    {
      ...awardOptions,
      project: () => ({
        issues: [
          { title: 'In the epic', author: 'writer', epic: 'An epic' },
          { title: 'An issue', author: 'writer' },
        ],
      }),
      path: { epic_issue_id: nth, issue_id: (target) => 2 * nth(target) },
    },
  )
})

everyRouteOf('instance', 'issues', 'award emoji', 'merge requests', 'milestones')
everyRouteOf('time tracking', 'subscriptions', 'issue links', 'epics', 'child epics', 'epic issues')
