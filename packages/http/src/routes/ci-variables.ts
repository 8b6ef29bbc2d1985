import { features } from '@forgelet/core/operations'
import { empty, one, page } from '../reply/responders.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { CiVariableWire, InstanceVariableWire } from '../shapes/ci-variable.ts'

const { ciVariables } = features

const extension = { extension: true } satisfies RouteOptions

const createOwnerRoutes = (base: '/projects/:id/variables' | '/groups/:id/variables') => [
  route(`GET ${base}`, ciVariables.list, page(CiVariableWire), extension),
  route(`POST ${base}`, ciVariables.create, one(CiVariableWire), extension),
  route(`GET ${base}/:key`, ciVariables.get, one(CiVariableWire), { ...extension, errors: [409] }),
  route(`PUT ${base}/:key`, ciVariables.update, one(CiVariableWire), extension),
  route(`DELETE ${base}/:key`, ciVariables.remove, empty(), extension),
]

const instancePath = '/admin/ci/variables'
const instanceOptions = {
  ...extension,
  hidden: ['project', 'group', 'environmentScope', 'filter'],
} satisfies RouteOptions

export const ciVariableRoutes = [
  ...createOwnerRoutes('/projects/:id/variables'),
  ...createOwnerRoutes('/groups/:id/variables'),
  route(`GET ${instancePath}`, ciVariables.list, page(InstanceVariableWire), instanceOptions),
  route(`POST ${instancePath}`, ciVariables.create, one(InstanceVariableWire), instanceOptions),
  route(`GET ${instancePath}/:key`, ciVariables.get, one(InstanceVariableWire), instanceOptions),
  route(`PUT ${instancePath}/:key`, ciVariables.update, one(InstanceVariableWire), instanceOptions),
  route(`DELETE ${instancePath}/:key`, ciVariables.remove, empty(), instanceOptions),
]
