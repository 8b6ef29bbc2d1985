import { type CustomAttribute, features } from '@forgelet/core/operations'
import * as v from 'valibot'
import { route } from '../route.ts'
import { empty, every, one } from '../send.ts'
import { wire } from '../wire.ts'

const { customAttributes } = features

/** Specification 1, "Custom attribute". */
const CustomAttributeWire = wire<CustomAttribute>()({ key: v.string(), value: v.string() })

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
