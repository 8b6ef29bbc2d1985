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
    GET    /geo_nodes/:node/status 401     403        403   403      403       403        403   200
    GET    /geo_nodes/status     401       403        403   403      403       403        403   200
    `,
    {
      path: { node: () => 1 },
      bodies: { 'POST /geo_nodes': node, 'PUT /geo_nodes/:node': node },
      prepare: async ({ host }) => {
        const { id } = await host.replicaNodes.create({ name: 'second', url: 'https://second.example.com' })
        await host.replicaNodes.report({ node: id, healthy: true })
      },
    },
  )
})

describe('missing replica nodes', () => {
  // The permission is checked first, so a 403 does not reveal whether the node exists.
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
