import { features, type NewShare } from '@forgelet/core/operations'
import { accepted, empty, mapped, one, oneOrNotFound, page } from '../reply/responders.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { BasicGroupWire, GroupDetailsWire, GroupWire } from '../shapes/group.ts'
import { projectPage } from '../shapes/project.ts'
import { avatarOptions, readEmptyAvatar } from './avatars.ts'
import { emailsEnabledParameter, readEmailsEnabled } from './emails-enabled.ts'

const { groups, projects, shares } = features

const extension = { extension: true } as const

const archiving = { extension: true, creates: false, errors: [422] } satisfies RouteOptions

const settingsOptions = {
  ...avatarOptions,
  extension: true,
  flatten: 'settings',
  hidden: ['avatarUrl'],
  rewrite: (parameters) => readEmptyAvatar(readEmailsEnabled(parameters)),
  wireParameters: emailsEnabledParameter,
} satisfies RouteOptions

const sharedGroup = mapped(({ sharedGroup: group }: NewShare) => group, oneOrNotFound(GroupDetailsWire, 'Group'))

const managementRoutes = [
  route('POST /groups', groups.create, one(GroupDetailsWire), {
    ...settingsOptions,
    names: { parent_id: 'parent' },
  }),
  route('PUT /groups/:id', groups.update, one(GroupDetailsWire), settingsOptions),
  route('DELETE /groups/:id', groups.remove, accepted(), extension),
  route('POST /groups/:id/archive', groups.archive, one(GroupDetailsWire), archiving),
  route('POST /groups/:id/unarchive', groups.unarchive, one(GroupDetailsWire), archiving),
  route('POST /groups/:id/restore', groups.restore, one(GroupDetailsWire), extension),
  route('POST /groups/:id/transfer', groups.transfer, one(GroupDetailsWire), {
    ...extension,
    names: { group_id: 'parent' },
  }),
  route('POST /groups/:id/projects/:project_id', groups.receiveProject, one(GroupDetailsWire), {
    ...extension,
    names: { project_id: 'child' },
    errors: [422],
  }),
  route('POST /groups/:id/share', shares.create, sharedGroup, {
    ...extension,
    names: { group_id: 'withGroup', group_access: 'accessLevel' },
  }),
  route('DELETE /groups/:id/share/:group_id', shares.remove, empty(), {
    ...extension,
    names: { group_id: 'withGroup' },
  }),
]

/** Inputs of lists of projects that are not for groups. */
const hiddenOfProjects = ['user', 'starredBy', 'contributedBy', 'onlyShared']

export const groupRoutes = [
  route('GET /groups', groups.list, page(GroupWire), { hidden: ['parent', 'includeDescendants'] }),
  route('GET /groups/:id', groups.get, one(GroupDetailsWire)),
  route('GET /groups/:id/subgroups', groups.list, page(GroupWire), {
    names: { id: 'parent' },
    hidden: ['includeDescendants'],
  }),
  route('GET /groups/:id/descendant_groups', groups.list, page(GroupWire), {
    ...extension,
    names: { id: 'parent' },
    fixedInput: { includeDescendants: true },
  }),
  route('GET /groups/:id/projects', projects.list, projectPage, { hidden: hiddenOfProjects }),
  route('GET /groups/:id/projects/shared', projects.list, projectPage, {
    hidden: [...hiddenOfProjects, 'withShared', 'includeSubgroups', 'includeAncestorGroups', 'withSecurityReports'],
    fixedInput: { onlyShared: true },
  }),
  route('GET /groups/:id/groups/shared', groups.listShared, page(GroupWire), {
    ...extension,
    hidden: [
      'customAttributes',
      'allAvailable',
      'owned',
      'statistics',
      'topLevelOnly',
      'active',
      'archived',
      'markedForDeletionOn',
      'repositoryStorage',
    ],
  }),
  route('GET /projects/:id/groups', projects.listGroups, page(BasicGroupWire), extension),
  route('GET /projects/:id/invited_groups', shares.listGroups, page(BasicGroupWire), {
    ...extension,
    hidden: ['withCustomAttributes'],
  }),
  route('GET /groups/:id/invited_groups', shares.listGroups, page(GroupWire), extension),
  route('GET /projects/:id/transfer_locations', projects.listTransferLocations, page(BasicGroupWire), extension),
  route('GET /groups/:id/transfer_locations', groups.listTransferLocations, page(BasicGroupWire), extension),
  route('GET /projects/:id/share_locations', projects.listShareLocations, page(BasicGroupWire), extension),
  ...managementRoutes,
]
