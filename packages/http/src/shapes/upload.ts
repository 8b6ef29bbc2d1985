import type { Upload } from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Integer } from '../reply/field-types.ts'
import { computed, nullable, wire } from '../reply/wire.ts'
import { UserSummaryWire } from './user.ts'

interface UploadedFile {
  readonly fileName: string
}

/** Extensions of the images, videos and sounds that browsers play inside a page. */
const embeddedExtensions = new Set(
  'png jpg jpeg gif webp svg bmp avif mp4 m4v mov webm ogv mp3 oga ogg spx wav'.split(' '),
)

const isEmbedded = ({ fileName }: UploadedFile): boolean =>
  embeddedExtensions.has(fileName.split('.').at(-1)?.toLowerCase() ?? '')

/** The name of the file; without its extension if Markdown shows the file inside a page. */
const getAltText = (file: UploadedFile): string =>
  (isEmbedded(file) && file.fileName.replace(/\.[^.]*$/, '')) || file.fileName

/** Markdown that shows a file inside a page, or links it. */
export const formatFileMarkdown = (file: UploadedFile, path: string): string =>
  `${isEmbedded(file) ? '!' : ''}[${getAltText(file).replaceAll(']', '\\]')}](${path})`

const createRelativeUrl = ({ secret, fileName }: Pick<Upload, 'secret' | 'fileName'>) =>
  `/uploads/${secret}/${fileName}`

/** A new upload, with Markdown that refers to it. */
export const NewUploadWire = wire<Upload>('NewUpload')({
  id: Integer,
  /** Alternative text for Markdown: the name of the file, without the extension of an image, a video or a sound. */
  alt: computed(v.string(), getAltText),
  /** Path relative to the project or group. */
  url: computed(v.string(), createRelativeUrl),
  /** Path on the server. */
  full_path: computed(
    v.string(),
    ({ projectId, groupId, ...upload }: Upload) =>
      `/-/${projectId === null ? `group/${groupId}` : `project/${projectId}`}${createRelativeUrl(upload)}`,
  ),
  /** Markdown that shows or links the file. */
  markdown: computed(v.string(), (upload: Upload) => formatFileMarkdown(upload, createRelativeUrl(upload))),
})

export const UploadWire = wire<Upload>('Upload')({
  id: Integer,
  size: Integer,
  /** Name of the file. */
  filename: computed(v.string(), ({ fileName }: Upload) => fileName),
  created_at: DateTime,
  uploaded_by: nullable(UserSummaryWire),
})
