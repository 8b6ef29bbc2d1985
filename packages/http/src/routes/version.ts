import { features, type InstanceLicense, type InstanceStatistics, type Version } from '@forgelet/core/operations'
import * as v from 'valibot'
import { Integer } from '../reply/field-types.ts'
import { one } from '../reply/responders.ts'
import { computed, wire } from '../reply/wire.ts'
import { route } from '../routing/route.ts'

const VersionWire = wire<Version>('Version')({ version: v.string(), revision: v.string(), enterprise: v.boolean() })

const AgentServer = v.strictObject({
  /** Whether Kubernetes agents can connect; never. */
  enabled: v.boolean(),
  /** Address for agents; null without a server. */
  externalUrl: v.null(),
  /** Version of the server; null without one. */
  version: v.null(),
})

/** The version, and the state of the server for Kubernetes agents, which does not exist. */
const MetadataWire = wire<Version>('Metadata')({
  ...VersionWire.fields,
  /** The server for Kubernetes agents. */
  kas: computed(AgentServer, () => ({ enabled: false, externalUrl: null, version: null })),
})

/** Numbers of objects of the instance. */
const InstanceStatisticsWire = wire<InstanceStatistics>('InstanceStatistics')({
  forks: Integer,
  issues: Integer,
  merge_requests: Integer,
  notes: Integer,
  snippets: Integer,
  ssh_keys: Integer,
  milestones: Integer,
  users: Integer,
  projects: Integer,
  groups: Integer,
  active_users: Integer,
})

/** What is not known here, such as the licensee and the dates of a license, is omitted. */
const InstanceLicenseWire = wire<InstanceLicense>('InstanceLicense')({
  plan: v.picklist(['free', 'ultimate']),
  expires_at: v.null(),
  expired: v.literal(false),
  user_limit: v.null(),
  active_users: Integer,
})

export const versionRoutes = [
  route('GET /license', features.instance.getLicense, one(InstanceLicenseWire), { extension: true }),
  route('GET /application/statistics', features.instance.getStatistics, one(InstanceStatisticsWire), {
    extension: true,
  }),
  route('GET /version', features.instance.getVersion, one(VersionWire), { extension: true }),
  route('GET /metadata', features.instance.getVersion, one(MetadataWire), { extension: true }),
]
