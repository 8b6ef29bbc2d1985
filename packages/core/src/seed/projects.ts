import * as v from 'valibot'
import { featureLevels } from '../access/levels.ts'
import { containerSections, Visibility } from './container.ts'
import { issuesSection } from './issues.ts'
import { mergeRequestsSection } from './merge-requests.ts'
import { nested, plantAll } from './nested.ts'
import { At, section } from './planting.ts'
import { projectSnippetsSection } from './snippets.ts'

const FeatureLevel = v.optional(v.picklist(featureLevels))

/** What hangs on a project, in the order in which it is planted. */
const projectSections = [...containerSections, issuesSection, mergeRequestsSection, projectSnippetsSection] as const

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
  archived: v.optional(v.boolean(), false),
  createdAt: At,
  ...nested(projectSections),
})

const own = Object.keys(nested(projectSections))

export const projectsSection = section('projects', Project, async (planting, item) => {
  const { path: fullPath, archived, createdAt, ...given } = item
  const cut = fullPath.lastIndexOf('/')
  const path = fullPath.slice(cut + 1)
  const details = Object.fromEntries(Object.entries(given).filter(([name]) => !own.includes(name)))
  const project = await planting
    .at(createdAt)
    .projects.create({ ...details, namespace: fullPath.slice(0, Math.max(cut, 0)), path, name: given.name ?? path })
  planting.note('projects', fullPath, { id: project.id, path: project.fullPath })
  await plantAll(planting, projectSections, given, { project: project.id, path: fullPath })
  if (archived) await planting.at().projects.archive({ project: project.id })
})
