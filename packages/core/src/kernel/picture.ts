import * as v from 'valibot'
import { toSafeFileName } from '../shared/safe-file-name.ts'
import { invalid } from './errors.ts'

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

/** Media types of pictures. */
export const pictureMediaTypes: readonly string[] = Object.keys(formats)

/** An uploaded picture of at most 1 MiB. */
const PictureUpload = v.strictObject({
  /** Name of the file. Characters other than letters, digits and `.-_+` are replaced with `_`. */
  fileName: v.string(),
  /** The bytes of the image: PNG, JPEG, GIF, BMP, TIFF, ICO or WebP, at most 1 MiB. */
  content: v.instance(Uint8Array),
})
export type PictureUpload = v.InferOutput<typeof PictureUpload>

/** A picture to store; null removes it. */
export const PictureInput = v.optional(v.nullable(PictureUpload))

/** The content of an uploaded picture. */
export interface Picture {
  /** Name of the file, safe for use in URLs. */
  readonly fileName: string
  /** Type of the image, such as `image/png`. */
  readonly mediaType: string
  /** The bytes of the image. */
  readonly content: Buffer
}

/** @throws PlatformError `invalid` for more than the limit, and for content that is no image */
export const parsePicture = (
  { fileName, content }: PictureUpload,
  { field, maxKibibytes }: { readonly field: string; readonly maxKibibytes: number },
): Picture => {
  if (content.byteLength > maxKibibytes * 1_024)
    throw invalid({ [field]: [`is too big (should be at most ${maxKibibytes} KiB)`] })
  const start = Buffer.from(content.subarray(0, 16)).toString('latin1')
  const mediaType = pictureMediaTypes.find((type) => formats[type]?.(start))
  if (mediaType === undefined) {
    throw invalid({ [field]: [`file format is not supported. Please try one of: ${pictureMediaTypes.join(', ')}`] })
  }
  return { fileName: toSafeFileName(fileName), mediaType, content: Buffer.from(content) }
}
