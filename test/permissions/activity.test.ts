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

describe('events', () => {
  permissionTable(
    `
    call                       anonymous   non-member  guest reporter developer maintainer owner admin
    GET /events                401         200         200   200      200       200        200   200
    GET /users/:user_id/events 200         200         200   200      200       200        200   200
    GET /projects/:id/events   200·404·404 200·200·404 200   200      200       200        200   200
    `,
    {
      path: { user_id: ({ users }) => users.owner },
      personal: ['GET /events', 'GET /users/:user_id/events'],
    },
  )
})

describe('events of a missing user', () => {
  permissionTable(
    `
    call                       anonymous non-member guest reporter developer maintainer owner admin
    GET /users/:user_id/events 404       404        404   404      404       404        404   404
    `,
    { path: { user_id: () => 999_999 }, personal: ['GET /users/:user_id/events'] },
  )
})

describe('todos', () => {
  const issue = { title: 'An issue', author: 'writer', todos: [{ user: 'writer' }] }
  const options: TableOptions = {
    users: ['writer'],
    project: () => ({ issues: [issue] }),
    prepare: async ({ as }: FakeForge) => {
      for (const caller of signedInCallers) await as(caller).todos.create({ project: 'public/code', issue: 1 })
    },
    path: {
      own_id: async ({ caller }: Target, { as }: FakeForge) =>
        caller === 'anonymous' ? 1 : (await as(caller).todos.list()).items[0]?.id,
      foreign_id: async (_: Target, { as }: FakeForge) => (await as('writer').todos.list()).items[0]?.id,
    },
  }

  permissionTable(
    `
    call                                 anonymous non-member guest reporter developer maintainer owner admin
    GET  /todos                          401       200        200   200      200       200        200   200
    GET  /user_counts                    401       200        200   200      200       200        200   200
    POST /todos/:own_id/mark_as_done     401       200        200   200      200       200        200   200
    POST /todos/:foreign_id/mark_as_done 401       404        404   404      404       404        404   404
    POST /todos/mark_as_done             401       204        204   204      204       204        204   204
    `,
    options,
  )
})

describe('a todo on an issue, a merge request or an epic', () => {
  permissionTable(
    `
    call                                    anonymous   non-member  guest reporter developer maintainer owner admin
    POST /projects/:id/issues/1/todo         401         201·201·404 201   201      201       201        201   201
    POST /projects/:id/merge_requests/1/todo 401         201·201·404 -     201      201       201        201   201
    POST /groups/:id/epics/1/todo            401         201·201·404 201   201      201       201        201   201
    `,
    {
      users: ['writer'],
      group: () => ({ epics: [{ title: 'An epic', author: 'writer' }] }),
      project: () => ({
        issues: [{ title: 'An issue', author: 'writer' }],
        mergeRequests: [{ title: 'A change', author: 'writer', sourceBranch: 'change' }],
      }),
    },
  )
})

describe('notification settings', () => {
  const change = { level: 'watch' }

  permissionTable(
    `
    call                                    anonymous non-member  guest reporter developer maintainer owner admin
    GET /notification_settings              401       200         200   200      200       200        200   200
    PUT /notification_settings              401       200         200   200      200       200        200   200
    GET /groups/:id/notification_settings   401       200·200·404 200   200      200       200        200   200
    PUT /groups/:id/notification_settings   401       200·200·404 200   200      200       200        200   200
    GET /projects/:id/notification_settings 401       200·200·404 200   200      200       200        200   200
    PUT /projects/:id/notification_settings 401       200·200·404 200   200      200       200        200   200
    `,
    {
      bodies: {
        'PUT /notification_settings': change,
        'PUT /groups/:id/notification_settings': change,
        'PUT /projects/:id/notification_settings': change,
      },
    },
  )

  permissionTable(
    `
    call                       anonymous non-member guest reporter developer maintainer owner admin
    PUT /notification_settings 401       400        400   400      400       400        400   400
    `,
    { bodies: { 'PUT /notification_settings': { notification_email: 'somebody@else.example' } } },
  )
})

describe('an archived project', () => {
  permissionTable(
    `
    call                                    anonymous   non-member  guest reporter developer maintainer owner admin
    GET /projects/:id/events                200·404·404 200·200·404 200   200      200       200        200   200
    PUT /projects/:id/notification_settings 401         200·200·404 200   200      200       200        200   200
    `,
    {
      project: () => ({ archived: true }),
      bodies: { 'PUT /projects/:id/notification_settings': { level: 'mention' } },
      prepare: async ({ host }: FakeForge) => {
        for (const visibility of visibilities) {
          const { archived } = await host.projects.get({ project: `${visibility}/code` })
          if (!archived) throw new Error('The project is not archived')
        }
      },
    },
  )
})

everyRouteOf('events', 'todos', 'notification settings')
