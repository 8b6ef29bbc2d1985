import { type Picture, pictureMediaTypes } from '@forgelet/core/operations'
import { file } from '../reply/responders.ts'

/** Pictures cannot run scripts with the origin of this site: their format was checked, and browsers do not guess another. */
export const picture = file(pictureMediaTypes, ({ mediaType, content }: Picture) => ({
  bytes: content,
  headers: {
    'Content-Type': mediaType,
    'Content-Disposition': 'inline',
    'Content-Security-Policy': "sandbox; default-src 'none'",
    'Cache-Control': 'max-age=0, private, must-revalidate',
  },
}))
