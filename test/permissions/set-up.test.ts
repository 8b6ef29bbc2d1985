import type { FakeForge } from '@forgelet/fixtures'
import { describe } from 'vitest'
import { everyRouteOf, permissionTable, type Target, visibilities } from './matrix.ts'

const urls = { link_url: 'https://x.example.com', image_url: 'https://x.example.com/x.svg' }

/** The id of the object of a project or, with `of: 'group'`, of a group, which were created in the order of the visibilities. */
const idOf =
  (of: 'project' | 'group') =>
  ({ visibility }: Target) =>
    visibilities.indexOf(visibility) * 2 + (of === 'project' ? 1 : 2)

describe.each(['project', 'group'] as const)('badges of a %s', (of) => {
  const base = `${of}s`
  const manager = of === 'project' ? 200 : 403
  const created = of === 'project' ? 201 : 403
  const removed = of === 'project' ? 204 : 403
  permissionTable(
    `
    call                              anonymous   non-member  guest reporter developer maintainer owner admin
    GET    /${base}/:id/badges           200·404·404 200·200·404 200   200      200       200        200   200
    GET    /${base}/:id/badges/:badge_id 200·404·404 200·200·404 200   200      200       200        200   200
    GET    /${base}/:id/badges/render?link_url=https://x.example.com&image_url=https://x.example.com 401 403·403·404 403 403 403 ${manager} 200 200
    POST   /${base}/:id/badges           401         403·403·404 403   403      403       ${created} 201   201
    PUT    /${base}/:id/badges/:badge_id 401         403·403·404 403   403      403       ${manager} 200   200
    DELETE /${base}/:id/badges/:badge_id 401         403·403·404 403   403      403       ${removed} 204   204
    `,
    {
      path: { badge_id: idOf(of) },
      prepare: async ({ host }: FakeForge) => {
        for (const visibility of visibilities) {
          const badge = { linkUrl: urls.link_url, imageUrl: urls.image_url }
          await host.badges.create({ project: `${visibility}/code`, ...badge })
          await host.badges.create({ group: visibility, ...badge })
        }
      },
      bodies: { [`POST /${base}/:id/badges`]: urls, [`PUT /${base}/:id/badges/:badge_id`]: { name: 'New' } },
    },
  )
})

describe.each(['project', 'group'] as const)('boards of a %s', (of) => {
  const base = `${of}s`
  const lists = `/${base}/:id/boards/:board_id/lists`
  permissionTable(
    `
    call                               anonymous   non-member  guest reporter developer maintainer owner admin
    GET    /${base}/:id/boards            401         200·200·404 200   200      200       200        200   200
    GET    /${base}/:id/boards/:board_id  401         200·200·404 200   200      200       200        200   200
    POST   /${base}/:id/boards            401         403·403·404 403   201      201       201        201   201
    PUT    /${base}/:id/boards/:board_id  401         403·403·404 403   200      200       200        200   200
    DELETE /${base}/:id/boards/:board_id  401         403·403·404 403   204      204       204        204   204
    GET    ${lists}                       401         200·200·404 200   200      200       200        200   200
    GET    ${lists}/:list_id              401         200·200·404 200   200      200       200        200   200
    POST   ${lists}                       401         403·403·404 403   201      201       201        201   201
    PUT    ${lists}/:list_id              401         403·403·404 403   200      200       200        200   200
    DELETE ${lists}/:list_id              401         403·403·404 403   204      204       204        204   204
    `,
    {
      path: { board_id: idOf(of), list_id: idOf(of) },
      prepare: async ({ host }: FakeForge) => {
        for (const visibility of visibilities) {
          for (const owner of [{ project: `${visibility}/code` }, { group: visibility }] as { group: string }[]) {
            const { id: board } = await host.boards.create({ ...owner, name: 'Work' })
            const { id: labelId } = await host.labels.create({ ...owner, name: 'first', color: 'red' })
            await host.labels.create({ ...owner, name: 'second', color: 'red' })
            await host.boardLists.create({ ...owner, board, labelId })
          }
        }
      },
      bodies: {
        [`POST /${base}/:id/boards`]: { name: 'New' },
        [`PUT /${base}/:id/boards/:board_id`]: { name: 'New' },
        [`POST ${lists}`]: (target: Target) => ({ label_id: idOf(of)(target) * 2 }),
        [`PUT ${lists}/:list_id`]: { position: 0 },
      },
    },
  )
})

describe('topics', () =>
  permissionTable(
    `
    call                   anonymous non-member guest reporter developer maintainer owner admin
    GET    /topics         200       200        200   200      200       200        200   200
    GET    /topics/1       200       200        200   200      200       200        200   200
    POST   /topics         401       403        403   403      403       403        403   201
    PUT    /topics/1       401       403        403   403      403       403        403   200
    DELETE /topics/1       401       403        403   403      403       403        403   204
    POST   /topics/merge   401       403        403   403      403       403        403   201
    `,
    {
      prepare: async ({ host }: FakeForge) => {
        for (const name of ['first', 'second']) await host.topics.create({ name, title: name })
      },
      bodies: {
        'POST /topics': { name: 'third', title: 'Third' },
        'PUT /topics/1': { title: 'Better' },
        'POST /topics/merge': { source_topic_id: 1, target_topic_id: 2 },
      },
    },
  ))

describe('broadcast messages', () =>
  permissionTable(
    `
    call                           anonymous non-member guest reporter developer maintainer owner admin
    GET    /broadcast_messages     200       200        200   200      200       200        200   200
    GET    /broadcast_messages/1   200       200        200   200      200       200        200   200
    POST   /broadcast_messages     401       403        403   403      403       403        403   201
    PUT    /broadcast_messages/1   401       403        403   403      403       403        403   200
    DELETE /broadcast_messages/1   401       403        403   403      403       403        403   204
    `,
    {
      prepare: async ({ host }: FakeForge) => void (await host.broadcastMessages.create({ message: 'Hello' })),
      bodies: { 'POST /broadcast_messages': { message: 'New' }, 'PUT /broadcast_messages/1': { message: 'Better' } },
    },
  ))

everyRouteOf('broadcast messages', 'badges', 'boards', 'board lists', 'topics')
