import { features, type UploadContent } from '@forgelet/core/operations'
import { attachment } from '../content-disposition.ts'
import type { Reply } from '../reply.ts'
import { route } from '../route.ts'
import { empty, one, page, type Send } from '../send.ts'
import { NewUploadWire, UploadWire } from '../shapes/upload.ts'

const { uploads } = features

/** To be saved, never shown: whatever somebody sent here must not run in the name of this site. */
const download: Send<UploadContent> = Object.assign(
  ({ fileName, content }: UploadContent): Reply => ({
    status: 200,
    bytes: content,
    headers: {
      'Content-Type': 'application/octet-stream',
      'Content-Disposition': attachment(fileName, 'file'),
      'Content-Security-Policy': "sandbox; default-src 'none'",
      'Cache-Control': 'max-age=0, private, must-revalidate',
    },
  }),
  { status: 200 },
)

/** Not in the documents: where release tools put what they release. */
const extension = { extension: true } as const
const named = { ...extension, names: { filename: 'fileName' } } as const
const file = '/projects/:id/uploads/:secret/:filename'

export const uploadRoutes = [
  route('POST /projects/:id/uploads', uploads.create, one(NewUploadWire), {
    ...extension,
    files: ['file'],
    omit: ['author'],
  }),
  route('GET /projects/:id/uploads', uploads.list, page(UploadWire), extension),
  route(`GET ${file}`, uploads.get, download, named),
  route(`DELETE ${file}`, uploads.remove, empty(), named),
  /** The address that the reply to a new file names. */
  route('GET /-/project/:id/uploads/:secret/:filename', uploads.get, download, {
    ...extension,
    names: { ...named.names, id: 'project' },
  }),
]
