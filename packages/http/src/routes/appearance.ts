import { type Appearance, features } from '@forgelet/core/operations'
import * as v from 'valibot'
import { NullableText } from '../reply/field-types.ts'
import { one } from '../reply/responders.ts'
import { wire } from '../reply/wire.ts'
import type { Parameters } from '../request/parameters.ts'
import { route } from '../routing/route.ts'
import { picture } from '../shapes/picture.ts'
import { toCamelCase } from '../wire-names.ts'

const { appearances } = features

/** Texts, colors and paths of pictures of the instance. */
const AppearanceWire = wire<Appearance>('Appearance')({
  title: v.string(),
  description: v.string(),
  pwa_name: v.string(),
  pwa_short_name: v.string(),
  pwa_description: v.string(),
  pwa_icon: NullableText,
  logo: NullableText,
  header_logo: NullableText,
  favicon: NullableText,
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

const pictures = ['logo', 'header_logo', 'favicon', 'pwa_icon']

/** An empty field removes a picture. */
const readEmptyPictures = (parameters: Parameters): Parameters => {
  const removed = pictures.filter((name) => parameters[name] === '')
  return { ...parameters, ...Object.fromEntries(removed.map((name) => [name, null])) }
}

export const appearanceRoutes = [
  route('GET /application/appearance', appearances.get, one(AppearanceWire), extension),
  route('PUT /application/appearance', appearances.update, one(AppearanceWire), {
    ...extension,
    files: pictures,
    rewrite: readEmptyPictures,
  }),
  /** The addresses of pictures. */
  ...pictures.map((name) =>
    route(`GET /uploads/-/system/appearance/${name}/1/:filename`, appearances.getPicture, picture, {
      ...extension,
      fixedInput: { picture: toCamelCase(name) },
      names: { filename: 'fileName' },
    }),
  ),
]
