import * as v from 'valibot'
import { featureLevels } from '../access/levels.ts'
import { containerSections, Visibility } from './container.ts'
import { containerRepositoriesSection } from './container-repositories.ts'
import { environmentsSection, protectedEnvironmentsSection } from './environments.ts'
import { issuesSection } from './issues.ts'
import { mergeRequestsSection } from './merge-requests.ts'
import { nested, plantAll } from './nested.ts'
import { At, Settings, section } from './planting.ts'
import {
  dependencyReportsSection,
  deployKeysSection,
  errorTrackingSection,
  pagesDomainsSection,
  remoteMirrorsSection,
} from './project-details.ts'
import { pushesSection } from './pushes.ts'
import { releasesSection } from './releases.ts'
import { plantRepository, repositoryItem } from './repository.ts'
import { projectSnippetsSection } from './snippets.ts'

const FeatureLevel = v.optional(v.picklist(featureLevels))

/** What hangs on a project, in the order in which it is planted. */
const projectSections = [
  ...containerSections,
  issuesSection,
  mergeRequestsSection,
  projectSnippetsSection,
  pushesSection,
  environmentsSection,
  protectedEnvironmentsSection,
  errorTrackingSection,
  dependencyReportsSection,
  deployKeysSection,
  pagesDomainsSection,
  remoteMirrorsSection,
  containerRepositoriesSection,
  releasesSection,
] as const

const Project = v.strictObject({
  /** The full path: that of a group or a username, and its own. */
  path: v.string(),
  name: v.optional(v.string()),
  description: v.optional(v.string()),
  visibility: Visibility,
  defaultBranch: v.optional(v.string()),
  requestAccessEnabled: v.optional(v.boolean()),
  issuesAccessLevel: FeatureLevel,
  mergeRequestsAccessLevel: FeatureLevel,
  repositoryAccessLevel: FeatureLevel,
  snippetsAccessLevel: FeatureLevel,
  avatarUrl: v.optional(v.string()),
  /** The full path of a project that stands before it. */
  forkedFrom: v.optional(v.string()),
  hasSecurityReports: v.optional(v.boolean()),
  /** Plain settings under their names; the operation knows which there are. */
  settings: Settings,
  /** Usernames of those who like it. */
  stars: v.optional(v.array(v.string()), []),
  /** Bytes. */
  size: v.optional(
    v.strictObject({
      repositorySize: v.optional(v.number()),
      wikiSize: v.optional(v.number()),
      lfsObjectsSize: v.optional(v.number()),
      jobArtifactsSize: v.optional(v.number()),
      packagesSize: v.optional(v.number()),
    }),
  ),
  archived: v.optional(v.boolean(), false),
  createdAt: At,
  repository: repositoryItem,
  ...nested(projectSections),
})

const own = Object.keys(nested(projectSections))

export const projectsSection = section('projects', Project, async (planting, item) => {
  const { path: fullPath, archived, createdAt, stars, size, repository, ...given } = item
  const cut = fullPath.lastIndexOf('/')
  const path = fullPath.slice(cut + 1)
  const details = Object.fromEntries(Object.entries(given).filter(([name]) => !own.includes(name)))
  const project = await planting
    .at(createdAt)
    .projects.create({ ...details, namespace: fullPath.slice(0, Math.max(cut, 0)), path, name: given.name ?? path })
  planting.note('projects', fullPath, { id: project.id, path: project.fullPath })
  for (const user of stars) await planting.at().projects.star({ project: project.id, user })
  if (repository) await plantRepository(planting, repository, project.id)
  if (size) await planting.at().projects.measure({ project: project.id, ...size })
  await plantAll(planting, projectSections, given, { project: project.id, path: fullPath })
  if (archived) await planting.at().projects.archive({ project: project.id })
})
