import { features } from '@forgelet/core/operations'
import { one, page } from '../reply/responders.ts'
import { route } from '../routing/route.ts'
import { GroupDetailsWire, GroupWire } from '../shapes/group.ts'
import { projectPage } from '../shapes/project.ts'

const { groups } = features

export const groupRoutes = [
  route('GET /groups', groups.list, page(GroupWire)),
  route('GET /groups/:id', groups.details, one(GroupDetailsWire)),
  route('GET /groups/:id/subgroups', groups.subgroups, page(GroupWire), { hidden: ['customAttributes'] }),
  route('GET /groups/:id/projects', groups.projects, projectPage),
  route('GET /groups/:id/projects/shared', groups.sharedProjects, projectPage),
]
