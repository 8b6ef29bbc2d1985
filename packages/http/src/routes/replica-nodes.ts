import { features } from '@forgelet/core/operations'
import { route } from '../route.ts'
import { empty, one, page } from '../send.ts'
import { ReplicaNodeWire, ReplicaStatusWire } from '../shapes/replica-node.ts'

const { replicaNodes } = features

const named = { names: { id: 'node' } }

export const replicaNodeRoutes = [
  route('POST /geo_nodes', replicaNodes.create, one(ReplicaNodeWire)),
  route('GET /geo_nodes', replicaNodes.list, page(ReplicaNodeWire)),
  route('GET /geo_nodes/status', replicaNodes.statuses, page(ReplicaStatusWire)),
  route('GET /geo_nodes/:id', replicaNodes.get, one(ReplicaNodeWire), named),
  route('PUT /geo_nodes/:id', replicaNodes.update, one(ReplicaNodeWire), named),
  route('DELETE /geo_nodes/:id', replicaNodes.remove, empty(), named),
  route('POST /geo_nodes/:id/repair', replicaNodes.repair, one(ReplicaNodeWire), { ...named, creates: false }),
  // The link that every node carries leads here.
  route('GET /geo_nodes/:id/status', replicaNodes.status, one(ReplicaStatusWire), { ...named, extension: true }),
]
