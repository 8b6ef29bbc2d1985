import { features, type UploadContent } from '@forgelet/core/operations'
import { formatAttachment } from '../reply/content-disposition.ts'
import { empty, file, one, page } from '../reply/responders.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { NewUploadWire, UploadWire } from '../shapes/upload.ts'

const { uploads } = features

/** An attachment, so that browsers cannot run uploaded content with the origin of this site. */
export const download = file(['application/octet-stream'], ({ fileName, size, content }: UploadContent) => ({
  bytes: content,
  headers: {
    'Content-Length': String(size),
    'Content-Type': 'application/octet-stream',
    'Content-Disposition': formatAttachment(fileName, 'file'),
    'Content-Security-Policy': "sandbox; default-src 'none'",
    'Cache-Control': 'max-age=0, private, must-revalidate',
  },
}))

/** Not in the specification; release tools upload their files here. */
const extension = { extension: true } satisfies RouteOptions
const fileOptions = {
  ...extension,
  names: { filename: 'fileName' },
  hidden: ['upload'],
} satisfies RouteOptions
const idOptions = {
  ...extension,
  names: { upload_id: 'upload' },
  hidden: ['secret', 'fileName'],
} satisfies RouteOptions
const filePath = '/projects/:id/uploads/:secret/:filename'

export const uploadRoutes = [
  route('POST /projects/:id/uploads', uploads.create, one(NewUploadWire), {
    ...extension,
    files: ['file'],
    hidden: ['author'],
  }),
  route('GET /projects/:id/uploads', uploads.list, page(UploadWire), extension),
  route('GET /projects/:id/uploads/:upload_id', uploads.get, download, idOptions),
  route('DELETE /projects/:id/uploads/:upload_id', uploads.remove, empty(), idOptions),
  route(`GET ${filePath}`, uploads.get, download, fileOptions),
  route(`DELETE ${filePath}`, uploads.remove, empty(), fileOptions),
  /** The URL in the reply to a new upload. */
  route('GET /-/project/:id/uploads/:secret/:filename', uploads.get, download, {
    ...fileOptions,
    names: { ...fileOptions.names, id: 'project' },
  }),
]
