import { invalid } from '../../../kernel/errors.ts'
import { webUrlProblem } from '../settings/web-url.ts'

export const selectiveSyncs = ['namespaces', 'shards'] as const

/** The criterion for the part of the data that a secondary node replicates. */
export type SelectiveSync = (typeof selectiveSyncs)[number]

/** A site that replicates, or is replicated by, this one: specification 2, "Replica node". */
export interface ReplicaNode {
  /** Unique on the instance. */
  id: number
  /** Unique ignoring case, 1 to 255 characters. */
  name: string
  /** URL of the site; ends with a slash. */
  url: string
  /** URL that other nodes use; equal to `url` unless set. Ends with a slash. */
  internalUrl: string
  /** Whether the node is the primary one, which others replicate. There is at most one. */
  primary: boolean
  /** Whether the node replicates; always true for the primary node. */
  enabled: boolean
  /** Whether the node is this site: its name or URL equals the URL of the call. */
  current: boolean
  /** Maximum number of files that the node transfers at the same time. */
  filesMaxCapacity: number
  /** Maximum number of repositories that the node transfers at the same time. */
  reposMaxCapacity: number
  /** Maximum number of verifications that the node runs at the same time. */
  verificationMaxCapacity: number
  /** Maximum number of container repositories that the node transfers at the same time. */
  containerRepositoriesMaxCapacity: number
  /** Whether the node also replicates files in an object storage. */
  syncObjectStorage: boolean
  /** What limits the replicated data: `namespaces` or `shards`; null replicates everything. */
  selectiveSyncType: SelectiveSync | null
  /** Names of the repository storages that are replicated with the type `shards`. */
  selectiveSyncShards: string[]
  /** Ids of the groups and personal namespaces that are replicated with the type `namespaces`. */
  selectiveSyncNamespaceIds: number[]
  /** Days after which repositories are verified again. It has no effect on a secondary node. */
  minimumReverificationInterval: number
}

/** The values that are validated together. */
export type NodeValues = Omit<ReplicaNode, 'id' | 'current' | 'internalUrl' | 'selectiveSyncType'> & {
  readonly internalUrl: string | null
  readonly selectiveSyncType: string | null
}

const urlProblems = (url: string): string[] => {
  if (url.trim() === '') return ["can't be blank"]
  const problem = url.length > 255 ? 'URI is invalid' : webUrlProblem(url)
  return problem === undefined ? [] : [`is blocked: ${problem}`]
}

const nameProblems = (name: string): string[] => {
  if (name.trim() === '') return ["can't be blank"]
  return name.length > 255 ? ['is too long (maximum is 255 characters)'] : []
}

const minimumProblems = (minimum: number, value: number) =>
  value >= minimum ? [] : [`must be greater than or equal to ${minimum}`]

const capacities = [
  'filesMaxCapacity',
  'reposMaxCapacity',
  'verificationMaxCapacity',
  'containerRepositoriesMaxCapacity',
] as const

/**
 * Validates a node. `conflicts`: problems because of other nodes.
 *
 * @throws PlatformError `invalid` with all problems
 */
export function assertValidNode(node: NodeValues, conflicts: Readonly<Record<string, readonly string[]>>): void {
  const { selectiveSyncType: type, internalUrl } = node
  const checks: Record<string, readonly string[]> = {
    name: [...nameProblems(node.name), ...(conflicts.name ?? [])],
    url: urlProblems(node.url),
    internalUrl: internalUrl === null ? [] : urlProblems(internalUrl),
    primary: conflicts.primary ?? [],
    enabled: node.primary && !node.enabled ? ['Geo primary node cannot be disabled'] : [],
    selectiveSyncType:
      type === null || selectiveSyncs.some((allowed) => allowed === type) ? [] : ['is not included in the list'],
    minimumReverificationInterval: minimumProblems(1, node.minimumReverificationInterval),
    ...Object.fromEntries(capacities.map((name) => [name, minimumProblems(0, node[name])])),
  }
  const problems = Object.entries(checks).filter(([, messages]) => messages.length)
  if (problems.length) throw invalid(Object.fromEntries(problems))
}

export const withTrailingSlash = (url: string): string => (url.endsWith('/') ? url : `${url}/`)
