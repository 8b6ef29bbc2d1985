import type { ReplicaNode, ReplicaStatus } from '@forgelet/core/operations'
import { replicaCounters, replicaPercentages } from '@forgelet/core/operations'
import * as v from 'valibot'
import { computed, type Site, wire } from '../reply/wire.ts'
import { toSnakeCase } from '../wire-names.ts'

const apiUrl = ({ id }: ReplicaNode, { url }: Site) => `${url}/api/v4/geo_nodes/${id}`

const Links = v.strictObject({ self: v.string(), status: v.string(), repair: v.string() })

/** Specification 2, "Replica node". */
export const ReplicaNodeWire = wire<ReplicaNode>()({
  id: v.number(),
  name: v.string(),
  url: v.string(),
  internal_url: v.string(),
  primary: v.boolean(),
  enabled: v.boolean(),
  current: v.boolean(),
  files_max_capacity: v.number(),
  repos_max_capacity: v.number(),
  verification_max_capacity: v.number(),
  container_repositories_max_capacity: v.number(),
  /** Only for secondary nodes, like `web_geo_projects_url`. */
  sync_object_storage: computed(v.optional(v.boolean()), ({ primary, syncObjectStorage }: ReplicaNode) =>
    primary ? undefined : syncObjectStorage,
  ),
  selective_sync_type: v.nullable(v.string()),
  selective_sync_shards: v.array(v.string()),
  selective_sync_namespace_ids: v.array(v.number()),
  minimum_reverification_interval: v.number(),
  clone_protocol: computed(v.string(), () => 'http'),
  web_edit_url: computed(v.string(), ({ id }: ReplicaNode, { url }: Site) => `${url}/admin/geo/nodes/${id}/edit`),
  web_geo_projects_url: computed(v.optional(v.string()), ({ primary, url }: ReplicaNode) =>
    primary ? undefined : `${url}admin/geo/projects`,
  ),
  _links: computed(Links, (node: ReplicaNode, site: Site) => {
    const self = apiUrl(node, site)
    return { self, status: `${self}/status`, repair: `${self}/repair` }
  }),
})

const countSchemas = Object.fromEntries([
  ...replicaCounters.map((name) => [toSnakeCase(name), v.nullable(v.number())] as const),
  ...replicaPercentages.map((name) => [toSnakeCase(name), v.string()] as const),
])

/** Specification 2, "Replica node": the status record. */
export const ReplicaStatusWire = wire<ReplicaStatus>()({
  geo_node_id: v.number(),
  healthy: v.boolean(),
  health: v.string(),
  health_status: v.string(),
  missing_oauth_application: v.boolean(),
  ...(countSchemas as Record<never, never>),
  last_successful_status_check_timestamp: v.number(),
  version: v.nullable(v.string()),
  revision: v.nullable(v.string()),
})
