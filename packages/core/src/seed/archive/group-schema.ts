import * as v from 'valibot'
import { projectCreationLevels } from '../../access/levels.ts'
import { epicsSection } from '../epics.ts'
import { sectionFields } from '../sections.ts'
import { Visibility } from '../shared-sections.ts'
import { containerSections, UserList } from './container-content.ts'

/** The sections of a group in an archive, in seeding order. */
export const groupSections = [...containerSections, epicsSection] as const

const groupEntries = {
  description: v.optional(v.string()),
  visibility: Visibility,
  requestAccessEnabled: v.optional(v.boolean()),
  shareWithGroupLock: v.optional(v.boolean()),
  projectCreationLevel: v.optional(v.picklist(projectCreationLevels)),
  subgroupCreationLevel: v.optional(v.picklist(['owner', 'maintainer'])),
  ...sectionFields(groupSections),
}

const Subgroup = v.strictObject({
  /** The path below the exported group: `tools/deploy`. Parents precede their subgroups. */
  path: v.string(),
  name: v.string(),
  ...groupEntries,
})

export const GroupContent = v.strictObject({
  ...groupEntries,
  subgroups: v.optional(v.array(Subgroup), []),
  users: UserList,
})

export type SubgroupContent = v.InferOutput<typeof Subgroup>
export type GroupContent = v.InferOutput<typeof GroupContent>
export type GroupContentInput = v.InferInput<typeof GroupContent>
