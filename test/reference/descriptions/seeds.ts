import { createSeedSchema } from '../../../packages/http/src/cli/seed-schema.ts'
import { getDescriptions, getSeedComments } from './read-comments.ts'
import type { SeedComment } from './seed-comments.ts'

/**
 * The operations with the input fields of the same meaning, by the last part of the path in a seed. Fields without a comment
 * beside the seed schema have the description of the input field of the same name.
 */
const operationsOf: Readonly<Record<string, readonly string[]>> = {
  users: ['users.create'],
  tokens: ['tokens.create'],
  identities: ['identities.link'],
  profile: ['users.update'],
  keys: ['keys.create'],
  customAttributes: ['customAttributes.set'],
  groups: ['groups.create', 'groups.update'],
  projects: ['projects.create', 'projects.update'],
  size: ['projects.measure'],
  members: ['members.add'],
  shares: ['shares.create'],
  accessTokens: ['accessTokens.create'],
  deployTokens: ['deployTokens.create'],
  labels: ['labels.create'],
  milestones: ['milestones.create', 'milestones.update'],
  epics: ['epics.create'],
  issues: ['issues.create'],
  mergeRequests: ['mergeRequests.create', 'mergeRequests.update'],
  notes: ['notes.create'],
  todos: ['todos.create'],
  snippets: ['snippets.create'],
  pushes: ['events.create'],
  pipelines: ['pipelines.record'],
  jobs: ['pipelines.record'],
  freezePeriods: ['freezePeriods.create'],
  pipelineSchedules: ['pipelineSchedules.create'],
  pipelineTriggers: ['pipelineTriggers.create'],
  environments: ['environments.create'],
  deployments: ['deployments.create'],
  protectedEnvironments: ['protectedEnvironments.create'],
  protectedBranches: ['protectedBranches.create'],
  protectedTags: ['protectedTags.create'],
  errorTracking: ['errorTracking.set'],
  featureFlagUserLists: ['featureFlagUserLists.create'],
  featureFlags: ['featureFlags.create'],
  featureFlagsClients: ['featureFlags.rotateClientToken'],
  dependencyReports: ['dependencies.report'],
  deployKeys: ['deployKeys.create'],
  pagesDomains: ['pagesDomains.create'],
  remoteMirrors: ['remoteMirrors.create'],
  containerRepositories: ['containerRepositories.create'],
  packages: ['packages.publishGeneric'],
  releases: ['releases.create'],
  variables: ['ciVariables.create'],
  hooks: ['hooks.create'],
  replicaNodes: ['replicaNodes.create', 'replicaNodes.report'],
  applications: ['applications.create'],
  runners: ['runners.create'],
}

/** The description of the input field of the operation that creates the items of a path. */
const createFallback = () => {
  const operations = new Map(getDescriptions().operations.map((operation) => [operation.name, operation]))
  return (path: string): string => {
    const names = path.split('.')
    for (let end = names.length - 1; end > 0; end--) {
      const field = names.slice(end).join('.')
      for (const operation of operationsOf[names[end - 1] as string] ?? []) {
        const input = operations.get(operation)?.inputs.find((candidate) => candidate.path === field)
        if (input?.description) return input.description
      }
    }
    return ''
  }
}

/** The description of a property of a seed. */
export interface SeedDescription extends SeedComment {
  /** `projects.issues.title`. */
  readonly path: string
}

let descriptions: readonly SeedDescription[] | undefined

/** The description of every property of the JSON Schema of seeds, except those that the schema has at run time. */
export const getSeedDescriptions = (listPaths: (schema: unknown) => readonly string[]): readonly SeedDescription[] => {
  if (descriptions) return descriptions
  const comments = getSeedComments()
  const fallback = createFallback()
  const paths = [...new Set(listPaths(createSeedSchema()))].filter((path) => !path.startsWith('settings.'))
  descriptions = paths.map((path) => {
    const own = comments.get(path)
    return { path, text: own?.text || fallback(path), place: own?.place ?? 'packages/core/src/seed' }
  })
  return descriptions
}
