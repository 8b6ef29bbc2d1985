import { features } from '@forgelet/core/operations'
import { route } from '../route.ts'
import { empty, every, one } from '../send.ts'
import { CustomAttributeWire } from '../shapes/custom-attribute.ts'

const { customAttributes } = features

/** Whose attributes each base serves. Users go by id only: in this place the documents know no usernames. */
const holders = [
  { base: 'users', options: { names: { id: 'user' }, ids: ['id'], omit: ['group', 'project'] } },
  { base: 'groups', options: { omit: ['user'] } },
  { base: 'projects', options: { omit: ['user'] } },
] as const

export const customAttributeRoutes = holders.flatMap(({ base, options }) => [
  route(`GET /${base}/:id/custom_attributes`, customAttributes.list, every(CustomAttributeWire), options),
  route(`GET /${base}/:id/custom_attributes/:key`, customAttributes.get, one(CustomAttributeWire), options),
  route(`PUT /${base}/:id/custom_attributes/:key`, customAttributes.set, one(CustomAttributeWire), options),
  route(`DELETE /${base}/:id/custom_attributes/:key`, customAttributes.remove, empty(), options),
])
