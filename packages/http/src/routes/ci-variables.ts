import { type CiVariable, features } from '@forgelet/core/operations'
import * as v from 'valibot'
import { NullableText } from '../reply/field-types.ts'
import { empty, one, page } from '../reply/responders.ts'
import { wire } from '../reply/wire.ts'
import { type RouteOptions, route } from '../routing/route.ts'

/** A variable of the pipelines of all projects. */
const InstanceVariableWire = wire<CiVariable>('InstanceVariable')({
  key: v.string(),
  variable_type: v.string(),
  value: v.nullable(v.string()),
  protected: v.boolean(),
  masked: v.boolean(),
  hidden: v.boolean(),
  raw: v.boolean(),
  /** Always `*` for the instance. */
  environment_scope: v.string(),
  description: NullableText,
})

/** A variable of the pipelines of a project or a group. */
const CiVariableWire = wire<CiVariable>('CiVariable')({ ...InstanceVariableWire.fields })

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
