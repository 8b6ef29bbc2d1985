import { features } from '@forgelet/core/operations'
import { accepted, empty, one, page } from '../reply/responders.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { BasicGroupWire, GroupDetailsWire, GroupWire } from '../shapes/group.ts'
import { projectPage } from '../shapes/project.ts'
import { avatarOptions, readEmptyAvatar } from './avatars.ts'
import { emailsEnabledParameter, readEmailsEnabled } from './emails-enabled.ts'

const { groups, shares } = features

const extension = { extension: true } as const

const settingsOptions = {
  ...avatarOptions,
  extension: true,
  flatten: 'settings',
  hidden: ['avatarUrl'],
  rewrite: (parameters) => readEmptyAvatar(readEmailsEnabled(parameters)),
  wireParameters: emailsEnabledParameter,
} satisfies RouteOptions

const managementRoutes = [
  route('POST /groups', groups.create, one(GroupDetailsWire), { ...settingsOptions, names: { parent_id: 'parent' } }),
  route('PUT /groups/:id', groups.update, one(GroupDetailsWire), settingsOptions),
  route('DELETE /groups/:id', groups.remove, accepted(), extension),
  route('GET /groups/:id/descendant_groups', groups.descendants, page(GroupWire), extension),
  route('POST /groups/:id/transfer', groups.transfer, one(GroupDetailsWire), {
    ...extension,
    names: { group_id: 'parent' },
  }),
  route('POST /groups/:id/share', shares.addToGroup, one(GroupDetailsWire), {
    ...extension,
    names: { group_id: 'withGroup', group_access: 'accessLevel' },
  }),
  route('DELETE /groups/:id/share/:group_id', shares.remove, empty(), {
    ...extension,
    names: { group_id: 'withGroup' },
  }),
]

export const groupRoutes = [
  route('GET /groups', groups.list, page(GroupWire)),
  route('GET /groups/:id', groups.details, one(GroupDetailsWire)),
  route('GET /groups/:id/subgroups', groups.subgroups, page(GroupWire)),
  route('GET /groups/:id/projects', groups.projects, projectPage),
  route('GET /groups/:id/projects/shared', groups.sharedProjects, projectPage),
  route('GET /groups/:id/groups/shared', groups.sharedGroups, page(GroupWire), {
    ...extension,
    hidden: ['customAttributes', 'allAvailable', 'owned', 'statistics', 'topLevelOnly', 'active', 'archived'],
  }),
  route('GET /projects/:id/groups', groups.ofProject, page(BasicGroupWire), extension),
  route('GET /projects/:id/share_locations', groups.shareLocations, page(BasicGroupWire), extension),
  ...managementRoutes,
]
