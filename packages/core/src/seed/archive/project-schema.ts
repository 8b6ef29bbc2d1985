import * as v from 'valibot'
import { featureLevels } from '../../access/levels.ts'
import { hooksSection } from '../hooks.ts'
import { issuesSection } from '../issues.ts'
import { archivedMergeRequestsSection } from '../merge-requests.ts'
import { protectedBranchesSection, protectedTagsSection } from '../protected-references.ts'
import { releasesSection } from '../releases.ts'
import { sectionFields } from '../sections.ts'
import { Settings } from '../seeder.ts'
import { Visibility } from '../shared-sections.ts'
import { projectSnippetsSection } from '../snippets.ts'
import { containerSections, UserList } from './container-content.ts'

/** The sections of a project in an archive. Others could give an importer what only administrators have. */
export const projectSections = [
  ...containerSections,
  issuesSection,
  archivedMergeRequestsSection,
  projectSnippetsSection,
  releasesSection,
  protectedBranchesSection,
  protectedTagsSection,
  // Last, so that no events of the content are sent.
  hooksSection,
] as const

const FeatureLevel = v.optional(v.picklist(featureLevels))

/** Applied after the content, which they could prevent. */
export const restrictionEntries = {
  requestAccessEnabled: v.optional(v.boolean()),
  issuesAccessLevel: FeatureLevel,
  mergeRequestsAccessLevel: FeatureLevel,
  repositoryAccessLevel: FeatureLevel,
  snippetsAccessLevel: FeatureLevel,
}

export const ProjectContent = v.strictObject({
  description: v.optional(v.string()),
  visibility: Visibility,
  defaultBranch: v.optional(v.string()),
  ...restrictionEntries,
  settings: Settings,
  users: UserList,
  ...sectionFields(projectSections),
})

export type ProjectContent = v.InferOutput<typeof ProjectContent>
export type ProjectContentInput = v.InferInput<typeof ProjectContent>
