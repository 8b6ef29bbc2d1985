import type { FakeForge } from '@forgelet/fixtures'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { client } from '../contract/client.ts'
import { world } from '../sqlite-world.ts'
import {
  everyRouteOf,
  matrixWorld,
  permissionTable,
  signedInCallers,
  type TableOptions,
  type Target,
  visibilities,
} from './matrix.ts'

const body = { body: 'Written by the table' }

/** The data of each group and project. Its author is `writer`, a user without a column. */
const baseOptions: Pick<TableOptions, 'users' | 'group' | 'project'> = {
  users: ['writer'],
  group: () => ({ epics: [{ title: 'An epic', author: 'writer', notes: [{ author: 'writer', body: 'On an epic' }] }] }),
  project: () => ({
    issues: [{ title: 'An issue', author: 'writer', notes: [{ author: 'writer', body: 'On an issue' }] }],
    mergeRequests: [
      {
        title: 'A change',
        author: 'writer',
        sourceBranch: 'change',
        notes: [{ author: 'writer', body: 'On a merge request' }],
      },
    ],
    snippets: [
      {
        title: 'A snippet',
        content: 'x',
        author: 'writer',
        visibility: 'public',
        notes: [{ author: 'writer', body: 'On a snippet' }],
      },
    ],
  }),
}

/** Epic and snippet ids are unique on the platform: one for each visibility, in order. */
const nth = ({ visibility }: Target) => visibilities.indexOf(visibility) + 1

const bodiesOf = (base: string): NonNullable<TableOptions['bodies']> => ({
  [`POST ${base}/notes`]: body,
  [`PUT ${base}/notes/:note_id`]: body,
})

describe('notes of another author on an issue', () => {
  permissionTable(
    `
    call                                               anonymous   non-member  guest reporter developer maintainer owner admin
    GET    /projects/:id/issues/:issue_iid/notes          200·404·404 200·200·404 200 200 200 200 200 200
    GET    /projects/:id/issues/:issue_iid/notes/:note_id 200·404·404 200·200·404 200 200 200 200 200 200
    POST   /projects/:id/issues/:issue_iid/notes          401         200·200·404 200 200 200 200 200 200
    PUT    /projects/:id/issues/:issue_iid/notes/:note_id 401         403·403·404 403 403 403 200 200 200
    DELETE /projects/:id/issues/:issue_iid/notes/:note_id 401         403·403·404 403 403 403 204 204 204
    `,
    {
      ...baseOptions,
      path: {
        issue_iid: () => 1,
        note_id: async ({ project }, { host }) => (await host.notes.list({ project, issue: 1 })).items[0]?.id,
      },
      bodies: bodiesOf('/projects/:id/issues/:issue_iid'),
    },
  )
})

describe('notes of another author on a project snippet', () => {
  permissionTable(
    `
    call                                                   anonymous   non-member  guest reporter developer maintainer owner admin
    GET    /projects/:id/snippets/:snippet_id/notes          200·404·404 200·200·404 200 200 200 200 200 200
    GET    /projects/:id/snippets/:snippet_id/notes/:note_id 200·404·404 200·200·404 200 200 200 200 200 200
    POST   /projects/:id/snippets/:snippet_id/notes          401         200·200·404 200 200 200 200 200 200
    PUT    /projects/:id/snippets/:snippet_id/notes/:note_id 401         403·403·404 403 403 403 200 200 200
    DELETE /projects/:id/snippets/:snippet_id/notes/:note_id 401         403·403·404 403 403 403 204 204 204
    `,
    {
      ...baseOptions,
      path: {
        snippet_id: nth,
        note_id: async (at, { host }) =>
          (await host.notes.list({ project: at.project, snippet: nth(at) })).items[0]?.id,
      },
      bodies: bodiesOf('/projects/:id/snippets/:snippet_id'),
    },
  )
})

describe('notes of another author on a merge request', () => {
  // Guests of a private project cannot see its merge requests; a test below covers them.
  permissionTable(
    `
    call                                                         anonymous   non-member  guest reporter developer maintainer owner admin
    GET    /projects/:id/merge_requests/:merge_request_iid/notes          200·404·404 200·200·404 - 200 200 200 200 200
    GET    /projects/:id/merge_requests/:merge_request_iid/notes/:note_id 200·404·404 200·200·404 - 200 200 200 200 200
    POST   /projects/:id/merge_requests/:merge_request_iid/notes          401         200·200·404 - 200 200 200 200 200
    PUT    /projects/:id/merge_requests/:merge_request_iid/notes/:note_id 401         403·403·404 - 403 403 200 200 200
    DELETE /projects/:id/merge_requests/:merge_request_iid/notes/:note_id 401         403·403·404 - 403 403 204 204 204
    `,
    {
      ...baseOptions,
      path: {
        merge_request_iid: () => 1,
        note_id: async ({ project }, { host }) => (await host.notes.list({ project, mergeRequest: 1 })).items[0]?.id,
      },
      bodies: bodiesOf('/projects/:id/merge_requests/:merge_request_iid'),
    },
  )
})

describe('notes of another author on an epic', () => {
  permissionTable(
    `
    call                                            anonymous   non-member  guest reporter developer maintainer owner admin
    GET    /groups/:id/epics/:epic_id/notes          200·404·404 200·200·404 200 200 200 200 200 200
    GET    /groups/:id/epics/:epic_id/notes/:note_id 200·404·404 200·200·404 200 200 200 200 200 200
    POST   /groups/:id/epics/:epic_id/notes          401         200·200·404 200 200 200 200 200 200
    PUT    /groups/:id/epics/:epic_id/notes/:note_id 401         403·403·404 403 403 403 200 200 200
    DELETE /groups/:id/epics/:epic_id/notes/:note_id 401         403·403·404 403 403 403 204 204 204
    `,
    {
      ...baseOptions,
      path: {
        epic_id: nth,
        note_id: async (at, { host }) => (await host.notes.list({ group: at.group, epicId: nth(at) })).items[0]?.id,
      },
      bodies: bodiesOf('/groups/:id/epics/:epic_id'),
    },
  )
})

/** Issue 1 of each project with changed fields. */
const issues = (
  issue: object,
  project: object,
  note: (at: Target, forge: FakeForge) => Promise<number | undefined>,
): TableOptions => ({
  users: ['writer'],
  project: () => ({
    issues: [{ title: 'An issue', author: 'writer', notes: [{ author: 'writer', body: 'By a stranger' }], ...issue }],
    ...project,
  }),
  path: { issue_iid: () => 1, note_id: note },
  bodies: bodiesOf('/projects/:id/issues/:issue_iid'),
})

const only = async ({ project }: Target, { host }: FakeForge) =>
  (await host.notes.list({ project, issue: 1 })).items[0]?.id

describe('a confidential issue', () => {
  permissionTable(
    `
    call                                         anonymous non-member guest reporter developer maintainer owner admin
    GET    /projects/:id/issues/:issue_iid/notes 404       404        404   200      200       200        200   200
    POST   /projects/:id/issues/:issue_iid/notes 401       404        404   200      200       200        200   200
    `,
    issues({ confidential: true }, {}, only),
  )
})

describe('a locked issue', () => {
  permissionTable(
    `
    call                                                  anonymous   non-member  guest reporter developer maintainer owner admin
    GET    /projects/:id/issues/:issue_iid/notes          200·404·404 200·200·404 200   200      200       200        200   200
    POST   /projects/:id/issues/:issue_iid/notes          401         403·403·404 200   200      200       200        200   200
    PUT    /projects/:id/issues/:issue_iid/notes/:note_id 401         403·403·404 403   403      403       200        200   200
    DELETE /projects/:id/issues/:issue_iid/notes/:note_id 401         403·403·404 403   403      403       204        204   204
    `,
    issues({ discussionLocked: true }, {}, only),
  )
})

describe('an archived project', () => {
  permissionTable(
    `
    call                                                  anonymous   non-member  guest reporter developer maintainer owner admin
    GET    /projects/:id/issues/:issue_iid/notes          200·404·404 200·200·404 200   200      200       200        200   200
    POST   /projects/:id/issues/:issue_iid/notes          401         403·403·404 403   403      403       403        403   403
    PUT    /projects/:id/issues/:issue_iid/notes/:note_id 401         403·403·404 403   403      403       403        403   403
    DELETE /projects/:id/issues/:issue_iid/notes/:note_id 401         403·403·404 403   403      403       403        403   403
    `,
    issues({}, { archived: true }, only),
  )
})

describe('a system note', () => {
  permissionTable(
    `
    call                                                  anonymous non-member  guest reporter developer maintainer owner admin
    PUT    /projects/:id/issues/:issue_iid/notes/:note_id 401       403·403·404 403   403      403       403        403   403
    DELETE /projects/:id/issues/:issue_iid/notes/:note_id 401       403·403·404 403   403      403       403        403   403
    `,
    {
      ...issues({}, {}, async ({ project }, { host }) => {
        const { items } = await host.notes.list({ project, issue: 1, activityFilter: 'only_activity' })
        return items[0]?.id
      }),
      prepare: async ({ as }) => {
        for (const at of visibilities)
          await as('owner').issues.update({ project: `${at}/code`, issue: 1, stateEvent: 'close' })
      },
    },
  )
})

describe('a note of the caller', () => {
  permissionTable(
    `
    call                                                  anonymous non-member  guest reporter developer maintainer owner admin
    PUT    /projects/:id/issues/:issue_iid/notes/:note_id -         200·200·404 200   200      200       200        200   200
    DELETE /projects/:id/issues/:issue_iid/notes/:note_id -         204·204·404 204   204      204       204        204   204
    `,
    issues(
      { notes: signedInCallers.map((author) => ({ author, body: `By ${author}` })) },
      {},
      async ({ project, caller }, { host }) =>
        (await host.notes.list({ project, issue: 1 })).items.find(({ author }) => author.username === caller)?.id,
    ),
  )
})

describe('issues restricted to members', () => {
  permissionTable(
    `
    call                                         anonymous non-member guest reporter developer maintainer owner admin
    GET    /projects/:id/issues/:issue_iid/notes 404       404        200   200      200       200        200   200
    `,
    issues({}, { issuesAccessLevel: 'private' }, only),
  )
})

describe('disabled issues', () => {
  const off: TableOptions = {
    ...issues({}, {}, only),
    prepare: async ({ host }) => {
      for (const at of visibilities)
        await host.projects.update({ project: `${at}/code`, issuesAccessLevel: 'disabled' })
    },
  }
  permissionTable(
    `
    call                                         anonymous non-member guest reporter developer maintainer owner admin
    GET    /projects/:id/issues/:issue_iid/notes 404       404        404   404      404       404        404   404
    `,
    off,
  )
})

/** Merge request 1 and the snippet of each project, with changed access levels. */
const parts = (levels: object): TableOptions => ({
  ...baseOptions,
  path: { merge_request_iid: () => 1, snippet_id: nth },
  bodies: {
    'POST /projects/:id/merge_requests/:merge_request_iid/notes': body,
    'POST /projects/:id/snippets/:snippet_id/notes': body,
  },
  prepare: async ({ host }) => {
    for (const at of visibilities) await host.projects.update({ project: `${at}/code`, ...levels })
  },
})

describe('merge requests and snippets restricted to members', () => {
  permissionTable(
    `
    call                                                         anonymous non-member guest       reporter developer maintainer owner admin
    GET    /projects/:id/merge_requests/:merge_request_iid/notes 404       404        -           200      200       200        200   200
    POST   /projects/:id/merge_requests/:merge_request_iid/notes 401       404        -           200      200       200        200   200
    GET    /projects/:id/snippets/:snippet_id/notes              404       404        200         200      200       200        200   200
    POST   /projects/:id/snippets/:snippet_id/notes              401       404        200         200      200       200        200   200
    `,
    parts({ mergeRequestsAccessLevel: 'private', snippetsAccessLevel: 'private' }),
  )
})

describe('disabled merge requests and snippets', () => {
  permissionTable(
    `
    call                                                         anonymous non-member guest reporter developer maintainer owner admin
    GET    /projects/:id/merge_requests/:merge_request_iid/notes 404       404        404   404      404       404        404   404
    POST   /projects/:id/merge_requests/:merge_request_iid/notes 401       404        404   404      404       404        404   404
    GET    /projects/:id/snippets/:snippet_id/notes              404       404        404   404      404       404        404   404
    POST   /projects/:id/snippets/:snippet_id/notes              401       404        404   404      404       404        404   404
    `,
    parts({ mergeRequestsAccessLevel: 'disabled', snippetsAccessLevel: 'disabled' }),
  )
})

describe('merge requests of a repository restricted to members', () => {
  permissionTable(
    `
    call                                                         anonymous non-member guest       reporter developer maintainer owner admin
    GET    /projects/:id/merge_requests/:merge_request_iid/notes 404       404        404         200      200       200        200   200
    POST   /projects/:id/merge_requests/:merge_request_iid/notes 401       404        404         200      200       200        200   200
    `,
    parts({ repositoryAccessLevel: 'private' }),
  )
})

describe('personal snippets of another user, by visibility', () => {
  permissionTable(
    `
    call                                anonymous   non-member  guest       reporter    developer   maintainer  owner       admin
    GET    /snippets                       401         200         200         200         200         200         200         200
    GET    /snippets/public                200         200         200         200         200         200         200         200
    GET    /snippets/:id                   200·404·404 200·200·404 200·200·404 200·200·404 200·200·404 200·200·404 200·200·404 200
    GET    /snippets/all                   401         200         200         200         200         200         200         200
    GET    /snippets/:id/files/main/snippetfile1.txt/raw 200·404·404 200·200·404 200·200·404 200·200·404 200·200·404 200·200·404 200·200·404 200
    GET    /snippets/:id/raw               200·404·404 200·200·404 200·200·404 200·200·404 200·200·404 200·200·404 200·200·404 200
    POST   /snippets                       401         200         200         200         200         200         200         200
    PUT    /snippets/:id                   401         404         404         404         404         404         404         404
    DELETE /snippets/:id                   401         404         404         404         404         404         404         404
    GET    /snippets/:id/user_agent_detail 401         403         403         403         403         403         403         404
    `,
    {
      users: ['writer'],
      prepare: async ({ host }) => {
        for (const visibility of visibilities) {
          await host.snippets.create({ author: 'writer', title: 'x', fileName: '', content: 'x', visibility })
        }
      },
      path: { id: nth },
      external: { 'POST /snippets': '403' },
      bodies: {
        'POST /snippets': { title: 'x', file_name: '', content: 'x' },
        'PUT /snippets/:id': { title: 'x' },
      },
    },
  )
})

describe('cases without a column', () => {
  let forge: FakeForge
  beforeEach(async () => {
    forge = await world({ seed: matrixWorld(baseOptions) })
  })
  afterEach(() => forge.close())

  test('merge requests of a private project are missing for guests', async () => {
    const send = client(forge)
    const at = (visibility: string, iid: number) => `/projects/${visibility}%2Fcode/merge_requests/${iid}/notes`
    expect((await send(`GET ${at('public', 1)}`, { as: 'guest' })).status).toBe(200)
    expect((await send(`GET ${at('internal', 1)}`, { as: 'guest' })).status).toBe(200)
    const written = await send(`POST ${at('internal', 1)}`, { as: 'guest', json: body })
    expect(written.status).toBe(200)
    const [note] = (await forge.host.notes.list({ project: 'private/code', mergeRequest: 1 })).items
    for (const [method, single] of [
      ['GET', ''],
      ['POST', ''],
      ['GET', `/${note?.id}`],
      ['PUT', `/${note?.id}`],
      ['DELETE', `/${note?.id}`],
    ]) {
      const options = { as: 'guest', ...(method !== 'GET' && { json: body }) }
      const hidden = await send(`${method} ${at('private', 1)}${single}`, options)
      const missing = await send(`${method} ${at('private', 99)}${single}`, options)
      expect(hidden).toMatchObject({ status: 404, body: { message: '404 Not found' } })
      expect(hidden.text).toBe(missing.text)
    }
  })

  test('external users see only public projects, without internal snippets', async () => {
    const send = client(forge)
    const as = 'external'
    expect((await send('GET /projects/public%2Fcode/issues/1/notes', { as })).status).toBe(200)
    expect((await send('POST /projects/public%2Fcode/issues/1/notes', { as, json: body })).status).toBe(200)
    expect((await send('GET /projects/internal%2Fcode/issues/1/notes', { as })).status).toBe(404)
    const inside = await forge.host.snippets.create({
      project: 'public/code',
      author: 'writer',
      title: 'Inside',
      fileName: '',
      content: 'x',
      visibility: 'internal',
    })
    const base = `/projects/public%2Fcode/snippets/${inside.id}/notes`
    expect((await send(`GET ${base}`, { as })).status).toBe(404)
    expect((await send(`GET ${base}`)).status).toBe(404)
    expect((await send(`GET ${base}`, { as: 'non-member' })).status).toBe(200)
  })

  test('a private project snippet is visible to members and its author', async () => {
    const send = client(forge)
    const own = await forge.host.snippets.create({
      project: 'public/code',
      author: 'writer',
      title: 'Own',
      fileName: '',
      content: 'x',
      visibility: 'private',
    })
    const base = `/projects/public%2Fcode/snippets/${own.id}/notes`
    for (const as of ['guest', 'writer', 'admin']) expect((await send(`GET ${base}`, { as })).status).toBe(200)
    expect((await send(`GET ${base}`, { as: 'non-member' })).status).toBe(404)
    expect((await send(`GET ${base}`)).status).toBe(404)
  })

  test('a confidential epic is visible to reporters and its author', async () => {
    const send = client(forge)
    const { id } = await forge.host.epics.create({
      group: 'public',
      author: 'non-member',
      title: 'Secret',
      confidential: true,
    })
    const statusFor = async (as: string) => (await send(`GET /groups/public/epics/${id}/notes`, { as })).status
    expect(await Promise.all(['guest', 'writer'].map(statusFor))).toEqual([404, 404])
    expect(await Promise.all(['reporter', 'non-member', 'admin'].map(statusFor))).toEqual([200, 200, 200])
    expect(
      (await send(`POST /groups/public/epics/${id}/notes`, { as: 'reporter', json: body })).body.confidential,
    ).toBe(true)
  })

  test('epics of a private group are hidden from members of one of its projects', async () => {
    const send = client(forge)
    await forge.host.members.add({ project: 'private/code', users: ['non-member'], accessLevel: 30 })
    const epic = visibilities.indexOf('private') + 1
    const response = await send(`GET /groups/private/epics/${epic}/notes`, { as: 'non-member' })
    expect(response).toMatchObject({ status: 404, body: { message: '404 Not found' } })
  })

  test('the author of a locked issue cannot comment without membership', async () => {
    const send = client(forge)
    const base = '/projects/public%2Fcode/issues/1/notes'
    const own = await send(`POST ${base}`, { as: 'writer', json: body })
    await forge.host.issues.update({ project: 'public/code', issue: 1, discussionLocked: true })
    expect((await send(`POST ${base}`, { as: 'writer', json: body })).status).toBe(403)
    expect((await send(`PUT ${base}/${own.body.id}`, { as: 'writer', json: body })).status).toBe(403)
    expect((await send(`DELETE ${base}/${own.body.id}`, { as: 'writer' })).status).toBe(403)
  })

  test('a note of the caller is hidden when its noteable becomes hidden', async () => {
    const send = client(forge)
    const base = '/projects/public%2Fcode/issues/1/notes'
    const own = await send(`POST ${base}`, { as: 'guest', json: body })
    await forge.host.issues.update({ project: 'public/code', issue: 1, confidential: true })
    expect((await send(`PUT ${base}/${own.body.id}`, { as: 'guest', json: body })).status).toBe(404)
    expect((await send(`DELETE ${base}/${own.body.id}`, { as: 'guest' })).status).toBe(404)
  })
})

describe("somebody else's snippet of a project", () => {
  const change = { title: 'Better' }
  const snippet = { title: 'New', file_name: 'a.txt', content: 'x', visibility: 'private' }

  permissionTable(
    `
    call                                        anonymous   non-member  guest reporter developer maintainer owner admin
    GET    /projects/:id/snippets                 200·404·404 200·200·404 200 200 200 200 200 200
    POST   /projects/:id/snippets                 401         403·403·404 403 201 201 201 201 201
    GET    /projects/:id/snippets/:snippet_id     200·404·404 200·200·404 200 200 200 200 200 200
    GET    /projects/:id/snippets/:snippet_id/raw 200·404·404 200·200·404 200 200 200 200 200 200
    GET    /projects/:id/snippets/:snippet_id/user_agent_detail 401 403·403·404 403 403 403 403 403 404
    GET    /projects/:id/snippets/:snippet_id/files/main/snippetfile1.txt/raw 200·404·404 200·200·404 200 200 200 200 200 200
    PUT    /projects/:id/snippets/:snippet_id     401         403·403·404 403 403 403 200 200 200
    DELETE /projects/:id/snippets/:snippet_id     401         403·403·404 403 403 403 204 204 204
    `,
    {
      ...baseOptions,
      path: { snippet_id: nth },
      bodies: { 'POST /projects/:id/snippets': snippet, 'PUT /projects/:id/snippets/:snippet_id': change },
    },
  )
})

everyRouteOf('notes', 'snippets')
