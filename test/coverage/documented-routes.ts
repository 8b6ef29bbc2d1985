import { toFullPath } from '../../packages/http/src/routing/route.ts'

/** Every method and path of the two specification documents, by document and family. Parameter names are arbitrary. */

/** A method and path without parameter names and with the `/api/v4` prefix, for comparisons. */
export const normalizeRoute = (line: string): string => {
  const [method, path] = line.split(/ +/) as [string, string]
  const fullPath = toFullPath(path)
  return `${method} ${fullPath
    .replace(/\?.*$/, '')
    .replace(/:[a-z_]+/g, ':')
    .replace(/\/$/, '')}`
}

const notes = (base: string) => [
  `GET ${base}`,
  `GET ${base}/:note_id`,
  `POST ${base}`,
  `PUT ${base}/:note_id`,
  `DELETE ${base}/:note_id`,
]

const both = (lines: (base: string) => readonly string[]) => [...lines('/groups/:id'), ...lines('/projects/:id')]

const scim = '/api/scim/v2/groups/:group_path/Users'
const labels = '/projects/:id/labels'
const registry = '/projects/:id/registry/repositories'

/** Collaboration, identity and activity. */
export const firstDocument: Readonly<Record<string, readonly string[]>> = {
  scim: [`GET ${scim}`, `GET ${scim}/:id`, `POST ${scim}`, `PATCH ${scim}/:id`, `DELETE ${scim}/:id`],
  markdown: ['POST /markdown'],
  'issue statistics': [
    'GET /issues_statistics',
    'GET /groups/:id/issues_statistics',
    'GET /projects/:id/issues_statistics',
  ],
  notes: [
    ...notes('/projects/:id/issues/:issue_iid/notes'),
    ...notes('/projects/:id/snippets/:snippet_id/notes'),
    ...notes('/projects/:id/merge_requests/:merge_request_iid/notes'),
    ...notes('/groups/:id/epics/:epic_id/notes'),
  ],
  events: ['GET /events', 'GET /users/:id/events', 'GET /projects/:project_id/events'],
  todos: ['GET /todos', 'POST /todos/:id/mark_as_done', 'POST /todos/mark_as_done'],
  'notification settings': ['', '/groups/:id', '/projects/:id'].flatMap((base) => [
    `GET ${base}/notification_settings`,
    `PUT ${base}/notification_settings`,
  ]),
  labels: [
    `GET ${labels}`,
    `GET ${labels}/:label_id`,
    `POST ${labels}`,
    `PUT ${labels}/:label_id`,
    `DELETE ${labels}/:label_id`,
    `PUT ${labels}/:label_id/promote`,
    `POST ${labels}/:label_id/subscribe`,
    `POST ${labels}/:label_id/unsubscribe`,
    `DELETE ${labels}`,
    `PUT ${labels}`,
    `PUT ${labels}/promote`,
  ],
  'access requests': both((base) => [
    `GET ${base}/access_requests`,
    `POST ${base}/access_requests`,
    `PUT ${base}/access_requests/:user_id/approve`,
    `DELETE ${base}/access_requests/:user_id`,
  ]),
  members: [
    ...both((base) => [
      `GET ${base}/members`,
      `GET ${base}/members/all`,
      `GET ${base}/members/:user_id`,
      `GET ${base}/members/all/:user_id`,
      `POST ${base}/members`,
      `PUT ${base}/members/:user_id`,
      `DELETE ${base}/members/:user_id`,
    ]),
    'POST /groups/:id/members/:user_id/override',
    'DELETE /groups/:id/members/:user_id/override',
  ],
  'custom attributes': ['users', 'groups', 'projects'].flatMap((kind) => [
    `GET /${kind}/:id/custom_attributes`,
    `GET /${kind}/:id/custom_attributes/:key`,
    `PUT /${kind}/:id/custom_attributes/:key`,
    `DELETE /${kind}/:id/custom_attributes/:key`,
  ]),
}

/** Projects, repositories and administration. */
export const secondDocument: Readonly<Record<string, readonly string[]>> = {
  groups: [
    'GET /groups',
    'GET /groups/:id/subgroups',
    'GET /groups/:id/projects',
    'GET /groups/:id/projects/shared',
    'GET /groups/:id',
  ],
  repository: ['tree', 'blobs/:sha', 'blobs/:sha/raw', 'archive', 'compare', 'contributors', 'merge_base']
    .concat(['tar.gz', 'tar.bz2', 'tbz', 'tbz2', 'tb2', 'bz2', 'tar', 'zip'].map((suffix) => `archive.${suffix}`))
    .map((name) => `GET /projects/:id/repository/${name}`),
  snippets: [
    'GET /snippets',
    'GET /snippets/:id',
    'GET /snippets/:id/raw',
    'POST /snippets',
    'PUT /snippets/:id',
    'DELETE /snippets/:id',
    'GET /snippets/public',
    'GET /snippets/:id/user_agent_detail',
  ],
  'pages domains': [
    'GET /pages/domains',
    'GET /projects/:id/pages/domains',
    'GET /projects/:id/pages/domains/:domain',
    'POST /projects/:id/pages/domains',
    'PUT /projects/:id/pages/domains/:domain',
    'DELETE /projects/:id/pages/domains/:domain',
  ],
  environments: [
    'GET /projects/:id/environments',
    'GET /projects/:id/environments/:environment_id',
    'POST /projects/:id/environments',
    'PUT /projects/:id/environments/:environment_id',
    'DELETE /projects/:id/environments/:environment_id',
    'POST /projects/:id/environments/:environment_id/stop',
  ],
  'protected environments': [
    'GET /projects/:id/protected_environments',
    'GET /projects/:id/protected_environments/:name',
    'POST /projects/:id/protected_environments',
    'DELETE /projects/:id/protected_environments/:name',
  ],
  'remote mirrors': [
    'GET /projects/:id/remote_mirrors',
    'POST /projects/:id/remote_mirrors',
    'PUT /projects/:id/remote_mirrors/:mirror_id',
  ],
  keys: ['GET /keys/:id', 'GET /keys'],
  dependencies: ['GET /projects/:id/dependencies'],
  'error tracking': ['GET /projects/:id/error_tracking/settings', 'PATCH /projects/:id/error_tracking/settings'],
  registry: [
    `GET ${registry}`,
    'GET /groups/:id/registry/repositories',
    `DELETE ${registry}/:repository_id`,
    `GET ${registry}/:repository_id/tags`,
    `GET ${registry}/:repository_id/tags/:tag_name`,
    `DELETE ${registry}/:repository_id/tags/:tag_name`,
    `DELETE ${registry}/:repository_id/tags`,
  ],
  'application settings': ['GET /application/settings', 'PUT /application/settings'],
  'replica nodes': [
    'POST /geo_nodes',
    'GET /geo_nodes',
    'GET /geo_nodes/:id',
    'PUT /geo_nodes/:id',
    'DELETE /geo_nodes/:id',
    'POST /geo_nodes/:id/repair',
    'GET /geo_nodes/status',
  ],
}
