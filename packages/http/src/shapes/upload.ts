import type { Upload } from '@forgelet/core/operations'
import * as v from 'valibot'
import { computed, wire } from '../wire.ts'
import { UserSummaryWire } from './user.ts'

const pictures = new Set(['png', 'jpg', 'jpeg', 'gif', 'webp', 'svg', 'bmp', 'avif'])

const nameOf = ({ fileName }: Upload) => fileName.replace(/\.[^.]*$/, '') || fileName

const isPicture = ({ fileName }: Upload) => pictures.has(fileName.split('.').at(-1)?.toLowerCase() ?? '')

const relative = ({ secret, fileName }: Upload) => `/uploads/${secret}/${fileName}`

/** A file that was sent just now, and the Markdown that shows it. */
export const NewUploadWire = wire<Upload>()({
  id: v.number(),
  alt: computed(v.string(), nameOf),
  url: computed(v.string(), relative),
  full_path: computed(v.string(), (upload: Upload) => `/-/project/${upload.projectId}${relative(upload)}`),
  markdown: computed(
    v.string(),
    (upload: Upload) => `${isPicture(upload) ? '!' : ''}[${nameOf(upload)}](${relative(upload)})`,
  ),
})

/** A file in a list. */
export const UploadWire = wire<Upload>()({
  id: v.number(),
  size: v.number(),
  filename: computed(v.string(), ({ fileName }: Upload) => fileName),
  created_at: v.string(),
  uploaded_by: UserSummaryWire,
})
