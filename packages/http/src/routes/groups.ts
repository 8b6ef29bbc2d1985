import { features } from '@forgelet/core/operations'
import { route } from '../route.ts'
import { one, page } from '../send.ts'
import { GroupDetailsWire, GroupWire } from '../shapes/group.ts'
import { projectPage } from '../shapes/project.ts'

const { groups } = features

export const groupRoutes = [
  route('GET /groups', groups.list, page(GroupWire)),
  route('GET /groups/:id', groups.details, one(GroupDetailsWire)),
  route('GET /groups/:id/subgroups', groups.subgroups, page(GroupWire), { omit: ['customAttributes'] }),
  route('GET /groups/:id/projects', groups.projects, projectPage),
  route('GET /groups/:id/projects/shared', groups.sharedProjects, projectPage),
]
