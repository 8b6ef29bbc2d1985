import { describe } from 'vitest'
import { everyRouteOf, permissionTable, type TableOptions, type Target, visibilities } from './matrix.ts'

const url = 'https://bot.example.com/events'
const json = { url }
const value = { value: 'events' }
const secrets = {
  customHeaders: [{ key: 'X-Team', value: 'web' }],
  urlVariables: [{ key: 'path', value: 'events' }],
}

/** The hooks of the projects are created first, then those of the groups, then the system hook. */
const prepare: TableOptions['prepare'] = async (forge) => {
  const { host } = forge
  for (const visibility of visibilities) await host.hooks.create({ project: `${visibility}/code`, url, ...secrets })
  for (const visibility of visibilities) await host.hooks.create({ group: visibility, url, ...secrets })
  await host.hooks.create({ url, ...secrets })
  for (const visibility of visibilities) {
    const project = `${visibility}/code`
    const { archived } = await host.projects.get({ project })
    if (archived) await host.projects.unarchive({ project })
    await host.commits.import({ project, commits: [{ message: 'Push', author, files: [file] }] })
    await host.issues.create({ project, title: 'Sample', author: 'owner' })
    if (archived) await host.projects.archive({ project })
  }
  await forge.hooks.drain()
  for (const visibility of visibilities)
    for (const parent of [{ project: `${visibility}/code` }, { group: visibility }] as const) {
      const [hook] = (await host.hooks.list(parent as { group: string })).items
      const { items } = await host.hooks.listDeliveries({ ...(parent as { group: string }), hook: hook?.id as number })
      events.set(hook?.id as number, items[0]?.id as number)
    }
}

const events = new Map<number, number>()
const author = { name: 'Alice', email: 'alice@example.com' }
const file = { path: 'a.txt', content: 'a' }

const indexOf = ({ visibility }: Target) => visibilities.indexOf(visibility) + 1

const projectTable = `
  call                                   anonymous non-member  guest reporter developer maintainer owner admin
  GET    /projects/:id/hooks             401       403·403·404 403   403      403       200        200   200
  POST   /projects/:id/hooks             401       403·403·404 403   403      403       201        201   201
  GET    /projects/:id/hooks/:hook_id    401       403·403·404 403   403      403       200        200   200
  PUT    /projects/:id/hooks/:hook_id    401       403·403·404 403   403      403       200        200   200
  DELETE /projects/:id/hooks/:hook_id    401       403·403·404 403   403      403       204        204   204
  PUT /projects/:id/hooks/:hook_id/custom_headers/X-Team 401 403·403·404 403 403 403 204 204 204
  DELETE /projects/:id/hooks/:hook_id/custom_headers/X-Team 401 403·403·404 403 403 403 204 204 204
  PUT /projects/:id/hooks/:hook_id/url_variables/path 401 403·403·404 403 403 403 204 204 204
  DELETE /projects/:id/hooks/:hook_id/url_variables/path 401 403·403·404 403 403 403 204 204 204
  GET    /projects/:id/hooks/:hook_id/events 401   403·403·404 403   403      403       200        200   200
  POST   /projects/:id/hooks/:hook_id/events/:event/resend 401 403·403·404 403 403 403   201        201   201
  POST   /projects/:id/hooks/:hook_id/test/issues_events 401 403·403·404 403 403 403     201        201   201
`

const projectOptions: TableOptions = {
  prepare,
  path: { hook_id: indexOf, event: (target) => events.get(indexOf(target)) },
  bodies: {
    'POST /projects/:id/hooks': json,
    'PUT /projects/:id/hooks/:hook_id': { issues_events: true },
    'PUT /projects/:id/hooks/:hook_id/custom_headers/X-Team': value,
    'PUT /projects/:id/hooks/:hook_id/url_variables/path': value,
  },
}

describe('hooks of projects', () => permissionTable(projectTable, projectOptions))

describe('hooks of archived projects', () =>
  permissionTable(projectTable, { ...projectOptions, project: () => ({ archived: true }) }))

describe('hooks of groups', () =>
  permissionTable(
    `
    call                                 anonymous non-member  guest reporter developer maintainer owner admin
    GET    /groups/:id/hooks             401       403·403·404 403   403      403       403        200   200
    POST   /groups/:id/hooks             401       403·403·404 403   403      403       403        201   201
    GET    /groups/:id/hooks/:hook_id    401       403·403·404 403   403      403       403        200   200
    PUT    /groups/:id/hooks/:hook_id    401       403·403·404 403   403      403       403        200   200
    DELETE /groups/:id/hooks/:hook_id    401       403·403·404 403   403      403       403        204   204
    PUT /groups/:id/hooks/:hook_id/custom_headers/X-Team 401 403·403·404 403 403 403 403 204 204
    DELETE /groups/:id/hooks/:hook_id/custom_headers/X-Team 401 403·403·404 403 403 403 403 204 204
    PUT /groups/:id/hooks/:hook_id/url_variables/path 401 403·403·404 403 403 403 403 204 204
    DELETE /groups/:id/hooks/:hook_id/url_variables/path 401 403·403·404 403 403 403 403 204 204
    GET    /groups/:id/hooks/:hook_id/events 401   403·403·404 403   403      403       403        200   200
    POST   /groups/:id/hooks/:hook_id/events/:event/resend 401 403·403·404 403 403 403   403        201   201
    POST   /groups/:id/hooks/:hook_id/test/issues_events 401 403·403·404 403 403 403     403        201   201
    `,
    {
      prepare,
      path: {
        hook_id: (target) => indexOf(target) + visibilities.length,
        event: (target) => events.get(indexOf(target) + visibilities.length),
      },
      bodies: {
        'POST /groups/:id/hooks': json,
        'PUT /groups/:id/hooks/:hook_id': { issues_events: true },
        'PUT /groups/:id/hooks/:hook_id/custom_headers/X-Team': value,
        'PUT /groups/:id/hooks/:hook_id/url_variables/path': value,
      },
    },
  ))

describe('system hooks', () =>
  permissionTable(
    `
    call                                 anonymous non-member  guest reporter developer maintainer owner admin
    GET    /hooks                        401       403         403   403      403       403        403   200
    POST   /hooks                        401       403         403   403      403       403        403   201
    GET    /hooks/:hook_id               401       403         403   403      403       403        403   200
    PUT    /hooks/:hook_id               401       403         403   403      403       403        403   200
    DELETE /hooks/:hook_id               401       403         403   403      403       403        403   204
    PUT /hooks/:hook_id/custom_headers/X-Team 401 403 403 403 403 403 403 204
    DELETE /hooks/:hook_id/custom_headers/X-Team 401 403 403 403 403 403 403 204
    PUT /hooks/:hook_id/url_variables/path 401 403 403 403 403 403 403 204
    DELETE /hooks/:hook_id/url_variables/path 401 403 403 403 403 403 403 204
    POST /hooks/:hook_id 401 403 403 403 403 403 403 201
    `,
    {
      prepare,
      path: { hook_id: () => 2 * visibilities.length + 1 },
      bodies: {
        'POST /hooks': json,
        'PUT /hooks/:hook_id': { push_events: false },
        'PUT /hooks/:hook_id/custom_headers/X-Team': value,
        'PUT /hooks/:hook_id/url_variables/path': value,
      },
    },
  ))

everyRouteOf('hooks')
