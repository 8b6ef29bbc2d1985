import { type Badge, type BadgePreview, features } from '@forgelet/core/operations'
import * as v from 'valibot'
import { Integer, NullableText } from '../reply/field-types.ts'
import { empty, one, page } from '../reply/responders.ts'
import { wire } from '../reply/wire.ts'
import { type RouteOptions, route } from '../routing/route.ts'

const { badges } = features

/** The addresses of a badge that does not exist yet. */
const BadgePreviewWire = wire<BadgePreview>('BadgePreview')({
  link_url: v.string(),
  image_url: v.string(),
  rendered_link_url: v.string(),
  rendered_image_url: v.string(),
})

/** An image with a link that projects show. */
const BadgeWire = wire<Badge>('Badge')({
  id: Integer,
  name: NullableText,
  ...BadgePreviewWire.fields,
  kind: v.string(),
})

const extension = { extension: true } satisfies RouteOptions
const badgeOptions = { ...extension, names: { badge_id: 'badge' } } satisfies RouteOptions

export const badgeRoutes = (['groups', 'projects'] as const).flatMap((base) => [
  route(`GET /${base}/:id/badges`, badges.list, page(BadgeWire), extension),
  route(`POST /${base}/:id/badges`, badges.create, one(BadgeWire), extension),
  route(`GET /${base}/:id/badges/render`, badges.render, one(BadgePreviewWire), extension),
  route(`GET /${base}/:id/badges/:badge_id`, badges.get, one(BadgeWire), badgeOptions),
  route(`PUT /${base}/:id/badges/:badge_id`, badges.update, one(BadgeWire), badgeOptions),
  route(`DELETE /${base}/:id/badges/:badge_id`, badges.remove, empty(), badgeOptions),
])
