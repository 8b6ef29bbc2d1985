import {
  features,
  type ReplicaNode,
  type ReplicaStatus,
  replicaCounters,
  replicaPercentages,
} from '@forgelet/core/operations'
import * as v from 'valibot'
import { Integer, NullableInteger, NullableText, Url } from '../reply/field-types.ts'
import { empty, one, page } from '../reply/responders.ts'
import { computed, type Site, wire } from '../reply/wire.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { toSnakeCase } from '../wire-names.ts'

const apiUrl = ({ id }: ReplicaNode, { url }: Site) => `${url}/api/v4/geo_nodes/${id}`

const Links = v.strictObject({
  /** URL of the node. */
  self: Url,
  /** URL of its status. */
  status: Url,
  /** URL that repairs its authentication. */
  repair: Url,
})

/** Specification 2, "Replica node". */
const ReplicaNodeWire = wire<ReplicaNode>('ReplicaNode')({
  id: Integer,
  name: v.string(),
  url: Url,
  internal_url: Url,
  primary: v.boolean(),
  enabled: v.boolean(),
  current: v.boolean(),
  files_max_capacity: Integer,
  repos_max_capacity: Integer,
  verification_max_capacity: Integer,
  container_repositories_max_capacity: Integer,
  /** Whether the node replicates object storage; false for the primary node. */
  sync_object_storage: computed(
    v.boolean(),
    ({ primary, syncObjectStorage }: ReplicaNode) => !primary && syncObjectStorage,
  ),
  selective_sync_type: NullableText,
  selective_sync_shards: v.array(v.string()),
  selective_sync_namespace_ids: v.array(Integer),
  minimum_reverification_interval: Integer,
  /** Always `http`: nodes clone repositories over HTTP. */
  clone_protocol: computed(v.string(), () => 'http'),
  /** URL of the page that edits the node. */
  web_edit_url: computed(Url, ({ id }: ReplicaNode, { url }: Site) => `${url}/admin/geo/nodes/${id}/edit`),
  /** URL of the list of replicated projects on a secondary node; false for the primary node. */
  web_geo_projects_url: computed(v.union([Url, v.literal(false)]), ({ primary, url }: ReplicaNode) =>
    primary ? false : `${url}admin/geo/projects`,
  ),
  /** URLs of the node in this API. */
  _links: computed(Links, (node: ReplicaNode, site: Site) => {
    const self = apiUrl(node, site)
    return { self, status: `${self}/status`, repair: `${self}/repair` }
  }),
})

const countSchemas = Object.fromEntries([
  ...replicaCounters.map((name) => [toSnakeCase(name), NullableInteger] as const),
  ...replicaPercentages.map((name) => [toSnakeCase(name), v.string()] as const),
])

/** Specification 2, "Replica node": the status record. */
const ReplicaStatusWire = wire<ReplicaStatus>('ReplicaStatus')({
  geo_node_id: Integer,
  healthy: v.boolean(),
  health: v.string(),
  health_status: v.string(),
  missing_oauth_application: v.boolean(),
  ...(countSchemas as Record<never, never>),
  last_successful_status_check_timestamp: Integer,
  version: NullableText,
  revision: NullableText,
})

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
