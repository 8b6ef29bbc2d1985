import * as v from 'valibot'
import { type Picture, parsePicture } from '../../../kernel/picture.ts'

/** An uploaded picture. */
export const AvatarUpload = v.strictObject({
  /** Name of the file. Characters other than letters, digits and `.-_+` are replaced with `_`. */
  fileName: v.string(),
  /** The bytes of the image: PNG, JPEG, GIF, BMP, TIFF, ICO or WebP, at most 200 KiB. */
  content: v.instance(Uint8Array),
})
type AvatarUpload = v.InferOutput<typeof AvatarUpload>

export const AvatarInput = v.optional(v.nullable(AvatarUpload))
export type AvatarChange = AvatarUpload | null | undefined

/** @throws PlatformError `invalid` for more than 200 KiB and for content that is no image */
export const parseAvatar = (upload: AvatarUpload): Picture =>
  parsePicture(upload, { field: 'avatar', maxKibibytes: 200 })
