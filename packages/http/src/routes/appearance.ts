import { type Appearance, features } from '@forgelet/core/operations'
import * as v from 'valibot'
import { one } from '../reply/responders.ts'
import { computed, wire } from '../reply/wire.ts'
import { route } from '../routing/route.ts'

const { appearances } = features

const noPicture = computed(v.null(), () => null)

/** Texts and colors of the instance. */
const AppearanceWire = wire<Appearance>('Appearance')({
  title: v.string(),
  description: v.string(),
  pwa_name: v.string(),
  pwa_short_name: v.string(),
  pwa_description: v.string(),
  /** Always null: pictures are not supported. */
  pwa_icon: noPicture,
  /** Always null: pictures are not supported. */
  logo: noPicture,
  /** Always null: pictures are not supported. */
  header_logo: noPicture,
  /** Always null: pictures are not supported. */
  favicon: noPicture,
  new_project_guidelines: v.string(),
  member_guidelines: v.string(),
  profile_image_guidelines: v.string(),
  header_message: v.string(),
  footer_message: v.string(),
  message_background_color: v.string(),
  message_font_color: v.string(),
  email_header_and_footer_enabled: v.boolean(),
})

const extension = { extension: true } as const

export const appearanceRoutes = [
  route('GET /application/appearance', appearances.get, one(AppearanceWire), extension),
  route('PUT /application/appearance', appearances.update, one(AppearanceWire), extension),
]
