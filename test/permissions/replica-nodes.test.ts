import { describe } from 'vitest'
import { everyRouteOf, permissionTable } from './matrix.ts'

const node = { name: 'third', url: 'https://third.example.com' }

describe('replica nodes', () => {
  permissionTable(
    `
    call                         anonymous non-member guest reporter developer maintainer owner admin
    POST   /geo_nodes            401       403        403   403      403       403        403   200
    GET    /geo_nodes            401       403        403   403      403       403        403   200
    GET    /geo_nodes/:node      401       403        403   403      403       403        403   200
    PUT    /geo_nodes/:node      401       403        403   403      403       403        403   200
    DELETE /geo_nodes/:node      401       403        403   403      403       403        403   204
    POST   /geo_nodes/:node/repair 401     403        403   403      403       403        403   200
    GET    /geo_nodes/status     401       403        403   403      403       403        403   200
    `,
    {
      path: { node: () => 1 },
      bodies: { 'POST /geo_nodes': node, 'PUT /geo_nodes/:node': node },
      prepare: async ({ host }) => {
        await host.replicaNodes.create({ name: 'second', url: 'https://second.example.com' })
      },
    },
  )
})

describe('replica nodes that do not exist', () => {
  // The right is judged first, so a refusal does not tell whether there is a node.
  permissionTable(
    `
    call                         anonymous non-member guest reporter developer maintainer owner admin
    GET    /geo_nodes/:node      401       403        403   403      403       403        403   404
    DELETE /geo_nodes/:node      401       403        403   403      403       403        403   404
    `,
    { path: { node: () => 999_999 } },
  )
})

everyRouteOf('replica nodes')
