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

export const uploadRoutes = [
  // Files of groups are stored with their wikis.
  route('POST /projects/:id/uploads', uploads.create, one(NewUploadWire), {
    ...extension,
    files: ['file'],
    hidden: ['author'],
  }),
  ...(['project', 'group'] as const).flatMap((owner) => {
    const path = `/${owner}s/:id/uploads` as const
    return [
      route(`GET ${path}`, uploads.list, page(UploadWire), extension),
      route(`GET ${path}/:upload_id`, uploads.get, download, idOptions),
      route(`DELETE ${path}/:upload_id`, uploads.remove, empty(), idOptions),
      route(`GET ${path}/:secret/:filename`, uploads.get, download, fileOptions),
      route(`DELETE ${path}/:secret/:filename`, uploads.remove, empty(), fileOptions),
      /** The URL in the reply to a new upload. */
      route(`GET /-/${owner}/:id/uploads/:secret/:filename`, uploads.get, download, {
        ...fileOptions,
        names: { ...fileOptions.names, id: owner },
        hidden: [...fileOptions.hidden, owner === 'project' ? 'group' : 'project'],
      }),
    ]
  }),
]
