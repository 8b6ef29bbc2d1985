import { features } from '@forgelet/core/operations'
import { one, page } from '../reply/responders.ts'
import { route } from '../routing/route.ts'
import { MilestoneWire } from '../shapes/milestone.ts'

const { milestones } = features

export const milestoneRoutes = [
  route('GET /projects/:id/milestones', milestones.list, page(MilestoneWire), { extension: true }),
  route('POST /projects/:id/milestones', milestones.create, one(MilestoneWire), { extension: true, hidden: ['iid'] }),
]
