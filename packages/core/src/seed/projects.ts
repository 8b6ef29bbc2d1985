import * as v from 'valibot'
import { featureLevels } from '../access/levels.ts'
import { approvalRulesSection } from './approval-rules.ts'
import { badgesSection } from './badges.ts'
import { boardsSection } from './boards.ts'
import { ciVariablesSection } from './ci-variables.ts'
import { containerRepositoriesSection } from './container-repositories.ts'
import { environmentsSection, protectedEnvironmentsSection } from './environments.ts'
import { featureFlagsClientsSection, featureFlagsSection, featureFlagUserListsSection } from './feature-flags.ts'
import { hooksSection } from './hooks.ts'
import { invitationsSection } from './invitations.ts'
import { issuesSection } from './issues.ts'
import { mergeRequestsSection } from './merge-requests.ts'
import { packagesSection } from './packages.ts'
import {
  freezePeriodsSection,
  pipelineSchedulesSection,
  pipelinesSection,
  pipelineTriggersSection,
} from './pipelines.ts'
import {
  dependencyReportsSection,
  deployKeysSection,
  errorTrackingSection,
  pagesDomainsSection,
  remoteMirrorsSection,
} from './project-details.ts'
import { protectedBranchesSection, protectedTagsSection } from './protected-references.ts'
import { PullMirror, seedPullMirror } from './pull-mirror.ts'
import { PushRule, seedPushRule } from './push-rules.ts'
import { pushesSection } from './pushes.ts'
import { releasesSection } from './releases.ts'
import { RepositorySeed, seedRepository } from './repository.ts'
import { sectionFields, seedSections } from './sections.ts'
import { atSeedPath, forEachItem } from './seed-path.ts'
import { defineSection, getOrCreate, Settings, Timestamp } from './seeder.ts'
import { sharedSections, Visibility } from './shared-sections.ts'
import { projectSnippetsSection } from './snippets.ts'
import { accessTokensSection, deployTokensSection } from './tokens.ts'
import { wikiPagesSection } from './wiki-pages.ts'

const FeatureLevel = v.optional(v.picklist(featureLevels))

/** The sections of a project, in seeding order. */
const projectSections = [
  ...sharedSections,
  invitationsSection,
  badgesSection,
  boardsSection,
  wikiPagesSection,
  accessTokensSection,
  deployTokensSection,
  issuesSection,
  mergeRequestsSection,
  projectSnippetsSection,
  pushesSection,
  pipelinesSection,
  freezePeriodsSection,
  pipelineSchedulesSection,
  pipelineTriggersSection,
  environmentsSection,
  protectedEnvironmentsSection,
  errorTrackingSection,
  featureFlagUserListsSection,
  featureFlagsSection,
  featureFlagsClientsSection,
  dependencyReportsSection,
  deployKeysSection,
  pagesDomainsSection,
  remoteMirrorsSection,
  containerRepositoriesSection,
  packagesSection,
  releasesSection,
  protectedBranchesSection,
  protectedTagsSection,
  approvalRulesSection,
  // Last, so that no events of the seed data are sent.
  ciVariablesSection,
  hooksSection,
] as const

const Project = v.strictObject({
  /** The full path, below a group or a username. */
  path: v.string(),
  name: v.optional(v.string()),
  /** Text in Markdown. */
  description: v.optional(v.string()),
  visibility: Visibility,
  defaultBranch: v.optional(v.string()),
  requestAccessEnabled: v.optional(v.boolean()),
  issuesAccessLevel: FeatureLevel,
  mergeRequestsAccessLevel: FeatureLevel,
  repositoryAccessLevel: FeatureLevel,
  snippetsAccessLevel: FeatureLevel,
  /** URL of the picture. */
  avatarUrl: v.optional(v.string()),
  /** The full path of an earlier project. */
  forkedFrom: v.optional(v.string()),
  hasSecurityReports: v.optional(v.boolean()),
  /** Settings by name; validated by the operation. */
  settings: Settings,
  /** Usernames of the users who starred the project. */
  stars: v.optional(v.array(v.string()), []),
  /** Storage sizes in bytes. */
  size: v.optional(
    v.strictObject({
      repositorySize: v.optional(v.number()),
      wikiSize: v.optional(v.number()),
      lfsObjectsSize: v.optional(v.number()),
      jobArtifactsSize: v.optional(v.number()),
      packagesSize: v.optional(v.number()),
      snippetsSize: v.optional(v.number()),
      containerRegistrySize: v.optional(v.number()),
    }),
  ),
  /** Archives the project after its content is added. */
  archived: v.optional(v.boolean(), false),
  createdAt: Timestamp,
  repository: RepositorySeed,
  /** What pushes must comply with; null for none. Default: the rule of the nearest group that has one. */
  pushRule: v.optional(v.nullable(PushRule)),
  /** The repository from which the project is updated. */
  pullMirror: v.optional(PullMirror),
  ...sectionFields(projectSections),
})

/** Applied after the content, which they could prevent. */
const restrictionNames: readonly string[] = [
  'requestAccessEnabled',
  'issuesAccessLevel',
  'mergeRequestsAccessLevel',
  'repositoryAccessLevel',
  'snippetsAccessLevel',
]

const sectionNames = Object.keys(sectionFields(projectSections))

/** Projects with their content. */
export const projectsSection = defineSection('projects', Project, async (seeder, item) => {
  const { path: fullPath, archived, createdAt, stars, size, repository, pushRule, pullMirror, ...fields } = item
  const lastSlash = fullPath.lastIndexOf('/')
  const path = fullPath.slice(lastSlash + 1)
  const select = (includes: (name: string) => boolean) =>
    Object.fromEntries(Object.entries(fields).filter(([name, value]) => value !== undefined && includes(name)))
  const restrictions = select((name) => restrictionNames.includes(name))
  const { forkedFrom, ...details } = select((name) => !sectionNames.includes(name) && !restrictionNames.includes(name))
  const { projects } = seeder.asHost(createdAt)
  const { item: project, isNew } = await getOrCreate(
    seeder,
    (): Promise<{ id: number; fullPath: string }> => projects.get({ project: fullPath }),
    () =>
      projects.create({
        ...details,
        ...(forkedFrom !== undefined && { forkedFrom: forkedFrom as string }),
        namespace: fullPath.slice(0, Math.max(lastSlash, 0)),
        path,
        name: fields.name ?? path,
      }),
    ({ id }) => projects.update({ project: id, name: fields.name ?? path, ...details }),
  )
  const isChangeable = isNew || seeder.existing === 'update'
  await forEachItem('stars', stars, (user) => seeder.asHost().projects.star({ project: project.id, user }))
  const written =
    isNew && repository && (await atSeedPath('.repository', () => seedRepository(seeder, repository, project.id)))
  seeder.record('projects', fullPath, { id: project.id, path: project.fullPath, ...written })
  if (size && isChangeable) await seeder.asHost().projects.measure({ project: project.id, ...size })
  const parent = { project: project.id, path: fullPath, isNew }
  if (isChangeable) await seedPushRule(seeder, parent, pushRule)
  await seedSections(seeder, projectSections, fields, parent)
  if (isChangeable) await seedPullMirror(seeder, parent, pullMirror)
  if (isChangeable && Object.keys(restrictions).length) {
    await projects.update({ project: project.id, ...restrictions })
  }
  if (archived && isChangeable) await seeder.asHost().projects.archive({ project: project.id })
})
