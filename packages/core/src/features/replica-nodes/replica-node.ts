import { invalid } from '../../kernel/errors.ts'
import { webAddressProblem } from '../settings/web-address.ts'

export const selectiveSyncs = ['namespaces', 'shards'] as const

/** What a secondary node keeps only a part by. */
export type SelectiveSync = (typeof selectiveSyncs)[number]

/** A site that holds the same things as this one: specification 2, "Replica node". */
export interface ReplicaNode {
  id: number
  /** Unique without regard to case. */
  name: string
  /** Ends with a slash. */
  url: string
  /** For other nodes; the same as `url` unless it was given. Ends with a slash. */
  internalUrl: string
  primary: boolean
  enabled: boolean
  /** It is this very site: its name or its address is the one at which the call arrived. */
  current: boolean
  filesMaxCapacity: number
  reposMaxCapacity: number
  verificationMaxCapacity: number
  containerRepositoriesMaxCapacity: number
  syncObjectStorage: boolean
  /** Null keeps everything. */
  selectiveSyncType: SelectiveSync | null
  selectiveSyncShards: string[]
  selectiveSyncNamespaceIds: number[]
  /** Days; of no effect on a secondary node. */
  minimumReverificationInterval: number
}

/** The values that are judged together; what a change leaves out is what the node has. */
export type NodeValues = Omit<ReplicaNode, 'id' | 'current' | 'internalUrl' | 'selectiveSyncType'> & {
  readonly internalUrl: string | null
  readonly selectiveSyncType: string | null
}

const addressProblems = (address: string): string[] => {
  if (address.trim() === '') return ["can't be blank"]
  const problem = address.length > 255 ? 'URI is invalid' : webAddressProblem(address)
  return problem === undefined ? [] : [`is blocked: ${problem}`]
}

const nameProblems = (name: string): string[] => {
  if (name.trim() === '') return ["can't be blank"]
  return name.length > 255 ? ['is too long (maximum is 255 characters)'] : []
}

const atLeast = (least: number, value: number) => (value >= least ? [] : [`must be greater than or equal to ${least}`])

const capacities = [
  'filesMaxCapacity',
  'reposMaxCapacity',
  'verificationMaxCapacity',
  'containerRepositoriesMaxCapacity',
] as const

/** Refuses what no node can be, with every complaint at once. `more` are complaints that only the database knows. */
export function refuseBadNode(node: NodeValues, more: Readonly<Record<string, readonly string[]>>): void {
  const { selectiveSyncType: type, internalUrl } = node
  const found: Record<string, readonly string[]> = {
    name: [...nameProblems(node.name), ...(more.name ?? [])],
    url: addressProblems(node.url),
    internalUrl: internalUrl === null ? [] : addressProblems(internalUrl),
    primary: more.primary ?? [],
    enabled: node.primary && !node.enabled ? ['Geo primary node cannot be disabled'] : [],
    selectiveSyncType:
      type === null || selectiveSyncs.some((known) => known === type) ? [] : ['is not included in the list'],
    minimumReverificationInterval: atLeast(1, node.minimumReverificationInterval),
    ...Object.fromEntries(capacities.map((name) => [name, atLeast(0, node[name])])),
  }
  const problems = Object.entries(found).filter(([, messages]) => messages.length)
  if (problems.length) throw invalid(Object.fromEntries(problems))
}

/** Addresses of nodes are told with one slash at their end. */
export const withSlash = (url: string): string => (url.endsWith('/') ? url : `${url}/`)
