import * as v from 'valibot'
import { invalid } from '../../../kernel/errors.ts'
import { toSafeFileName } from '../../../shared/safe-file-name.ts'

const maxKibibytes = 200

/** The formats that GitLab accepts, by their first bytes. SVG is excluded, because it can contain scripts. */
const formats: Readonly<Record<string, (start: string) => boolean>> = {
  'image/png': (start) => start.startsWith('\x89PNG\r\n\x1a\n'),
  'image/jpeg': (start) => start.startsWith('\xff\xd8\xff'),
  'image/gif': (start) => start.startsWith('GIF87a') || start.startsWith('GIF89a'),
  'image/bmp': (start) => start.startsWith('BM'),
  'image/tiff': (start) => start.startsWith('II*\0') || start.startsWith('MM\0*'),
  'image/vnd.microsoft.icon': (start) => start.startsWith('\0\0\x01\0'),
  'image/webp': (start) => start.startsWith('RIFF') && start.slice(8, 12) === 'WEBP',
}

export const avatarMediaTypes: readonly string[] = Object.keys(formats)

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

/** The content of an uploaded picture. */
export interface Avatar {
  /** Name of the file, safe for use in URLs. */
  readonly fileName: string
  /** Type of the image, such as `image/png`. */
  readonly mediaType: string
  /** The bytes of the image. */
  readonly content: Buffer
}

/** @throws PlatformError `invalid` for more than 200 KiB and for content that is no image */
export const parseAvatar = ({ fileName, content }: AvatarUpload): Avatar => {
  if (content.byteLength > maxKibibytes * 1_024)
    throw invalid({ avatar: [`is too big (should be at most ${maxKibibytes} KiB)`] })
  const start = Buffer.from(content.subarray(0, 16)).toString('latin1')
  const mediaType = avatarMediaTypes.find((type) => formats[type]?.(start))
  if (mediaType === undefined) {
    throw invalid({ avatar: [`file format is not supported. Please try one of: ${avatarMediaTypes.join(', ')}`] })
  }
  return { fileName: toSafeFileName(fileName), mediaType, content: Buffer.from(content) }
}
