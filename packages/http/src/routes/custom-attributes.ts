import { features } from '@forgelet/core/operations'
import { empty, one, page } from '../reply/responders.ts'
import { route } from '../routing/route.ts'
import { CustomAttributeWire } from '../shapes/custom-attribute.ts'

const { customAttributes } = features

/** Users only by id: the specification accepts no usernames here. */
const holders = [
  { base: 'users', options: { names: { id: 'user' }, numericOnly: ['id'], hidden: ['group', 'project'] } },
  { base: 'groups', options: { hidden: ['user'] } },
  { base: 'projects', options: { hidden: ['user'] } },
] as const

export const customAttributeRoutes = holders.flatMap(({ base, options }) => [
  route(`GET /${base}/:id/custom_attributes`, customAttributes.list, page(CustomAttributeWire), options),
  route(`GET /${base}/:id/custom_attributes/:key`, customAttributes.get, one(CustomAttributeWire), options),
  route(`PUT /${base}/:id/custom_attributes/:key`, customAttributes.set, one(CustomAttributeWire), options),
  route(`DELETE /${base}/:id/custom_attributes/:key`, customAttributes.remove, empty(), options),
])
