import { features } from '@forgelet/core/operations'
import { one } from '../reply/responders.ts'
import { route } from '../routing/route.ts'
import { ProjectDetailsWire, projectPage } from '../shapes/project.ts'

const { projects } = features

export const projectRoutes = [
  route('GET /projects', projects.list, projectPage, { extension: true }),
  route('GET /projects/:id', projects.details, one(ProjectDetailsWire), { extension: true }),
]
