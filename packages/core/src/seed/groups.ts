import * as v from 'valibot'
import { containerSections, Visibility } from './container.ts'
import { epicsSection } from './epics.ts'
import { nested, plantAll } from './nested.ts'
import { At, Settings, section } from './planting.ts'
import { plantSingleSignOn, SingleSignOn } from './single-sign-on.ts'

/** What hangs on a group, in the order in which it is planted. */
const groupSections = [...containerSections, epicsSection] as const

const Group = v.strictObject({
  /** The full path; groups above it come first. */
  path: v.string(),
  name: v.optional(v.string()),
  description: v.optional(v.string()),
  visibility: Visibility,
  requestAccessEnabled: v.optional(v.boolean()),
  avatarUrl: v.optional(v.string()),
  shareWithGroupLock: v.optional(v.boolean()),
  projectCreationLevel: v.optional(v.picklist(['noone', 'maintainer', 'developer'])),
  subgroupCreationLevel: v.optional(v.picklist(['owner', 'maintainer'])),
  /** Plain settings under their names; the operation knows which there are. */
  settings: Settings,
  createdAt: At,
  sso: v.optional(SingleSignOn),
  ...nested(groupSections),
})

export const groupsSection = section('groups', Group, async (planting, { path: fullPath, createdAt, ...given }) => {
  const cut = fullPath.lastIndexOf('/')
  const path = fullPath.slice(cut + 1)
  const { name = path, description, visibility, requestAccessEnabled, avatarUrl, settings } = given
  const { shareWithGroupLock, projectCreationLevel, subgroupCreationLevel } = given
  const group = await planting.at(createdAt).groups.create({
    ...(cut > 0 && { parent: fullPath.slice(0, cut) }),
    path,
    name,
    description,
    visibility,
    requestAccessEnabled,
    avatarUrl,
    shareWithGroupLock,
    projectCreationLevel,
    subgroupCreationLevel,
    ...(settings && { settings: settings as object }),
  })
  planting.note('groups', fullPath, { id: group.id, path: group.fullPath })
  if (given.sso) await plantSingleSignOn(planting, group.id, given.sso)
  await plantAll(planting, groupSections, given, { group: group.id, path: fullPath })
})
