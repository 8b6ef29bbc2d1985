import type { Upload } from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Integer } from '../reply/field-types.ts'
import { computed, nullable, wire } from '../reply/wire.ts'
import { UserSummaryWire } from './user.ts'

const imageExtensions = new Set(['png', 'jpg', 'jpeg', 'gif', 'webp', 'svg', 'bmp', 'avif'])

/** The file name without its extension. */
export const getAltText = ({ fileName }: { readonly fileName: string }): string =>
  fileName.replace(/\.[^.]*$/, '') || fileName

export const isImage = ({ fileName }: { readonly fileName: string }): boolean =>
  imageExtensions.has(fileName.split('.').at(-1)?.toLowerCase() ?? '')

const createRelativeUrl = ({ secret, fileName }: Upload) => `/uploads/${secret}/${fileName}`

/** A new upload, with Markdown that refers to it. */
export const NewUploadWire = wire<Upload>('NewUpload')({
  id: Integer,
  /** Alternative text for Markdown: the file name without its extension. */
  alt: computed(v.string(), getAltText),
  /** Path relative to the project. */
  url: computed(v.string(), createRelativeUrl),
  /** Path on the server. */
  full_path: computed(v.string(), (upload: Upload) => `/-/project/${upload.projectId}${createRelativeUrl(upload)}`),
  /** Markdown that shows or links the file. */
  markdown: computed(
    v.string(),
    (upload: Upload) => `${isImage(upload) ? '!' : ''}[${getAltText(upload)}](${createRelativeUrl(upload)})`,
  ),
})

export const UploadWire = wire<Upload>('Upload')({
  id: Integer,
  size: Integer,
  /** Name of the file. */
  filename: computed(v.string(), ({ fileName }: Upload) => fileName),
  created_at: DateTime,
  uploaded_by: nullable(UserSummaryWire),
})
