import { features } from '@forgelet/core/operations'
import { empty, one, page } from '../reply/responders.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { ReplicaNodeWire, ReplicaStatusWire } from '../shapes/replica-node.ts'

const { replicaNodes } = features

const nodeOptions = { names: { id: 'node' } } satisfies RouteOptions

export const replicaNodeRoutes = [
  route('POST /geo_nodes', replicaNodes.create, one(ReplicaNodeWire)),
  route('GET /geo_nodes', replicaNodes.list, page(ReplicaNodeWire)),
  route('GET /geo_nodes/status', replicaNodes.listStatuses, page(ReplicaStatusWire)),
  route('GET /geo_nodes/:id', replicaNodes.get, one(ReplicaNodeWire), nodeOptions),
  route('PUT /geo_nodes/:id', replicaNodes.update, one(ReplicaNodeWire), nodeOptions),
  route('DELETE /geo_nodes/:id', replicaNodes.remove, empty(), nodeOptions),
  route('POST /geo_nodes/:id/repair', replicaNodes.repair, one(ReplicaNodeWire), { ...nodeOptions, creates: false }),
  // `_links.status` of each node refers to this route.
  route('GET /geo_nodes/:id/status', replicaNodes.getStatus, one(ReplicaStatusWire), {
    ...nodeOptions,
    extension: true,
  }),
]
