import { features } from '@forgelet/core/operations'
import { empty, one, page } from '../reply/responders.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { CiVariableWire, InstanceVariableWire } from '../shapes/ci-variable.ts'

const { ciVariables, instanceVariables } = features

const extension = { extension: true } satisfies RouteOptions

const createOwnerRoutes = (base: '/projects/:id/variables' | '/groups/:id/variables') => [
  route(`GET ${base}`, ciVariables.list, page(CiVariableWire), extension),
  route(`POST ${base}`, ciVariables.create, one(CiVariableWire), extension),
  route(`GET ${base}/:key`, ciVariables.get, one(CiVariableWire), { ...extension, errors: [409] }),
  route(`PUT ${base}/:key`, ciVariables.update, one(CiVariableWire), extension),
  route(`DELETE ${base}/:key`, ciVariables.remove, empty(), extension),
]

const instancePath = '/admin/ci/variables'

export const ciVariableRoutes = [
  ...createOwnerRoutes('/projects/:id/variables'),
  ...createOwnerRoutes('/groups/:id/variables'),
  route(`GET ${instancePath}`, instanceVariables.list, page(InstanceVariableWire), extension),
  route(`POST ${instancePath}`, instanceVariables.create, one(InstanceVariableWire), extension),
  route(`GET ${instancePath}/:key`, instanceVariables.get, one(InstanceVariableWire), extension),
  route(`PUT ${instancePath}/:key`, instanceVariables.update, one(InstanceVariableWire), extension),
  route(`DELETE ${instancePath}/:key`, instanceVariables.remove, empty(), extension),
]
