import { type ArchiveContent, features } from '@forgelet/core/operations'
import { formatAttachment } from '../reply/content-disposition.ts'
import { accepted, file, one } from '../reply/responders.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { ExportWire, ImportWire } from '../shapes/archive.ts'
import { namespaceOptions } from './forks.ts'

const { exports, imports } = features

const download = file(['application/gzip'], ({ fileName, size, content }: ArchiveContent) => ({
  bytes: content,
  headers: {
    'Content-Length': String(size),
    'Content-Type': 'application/gzip',
    'Content-Disposition': formatAttachment(fileName, 'file'),
    'Cache-Control': 'max-age=0, private, must-revalidate',
  },
}))

const megabyte = 1024 ** 2

/** Not in the specification; clients move projects between instances with them. */
const extension = { extension: true } satisfies RouteOptions
/** An archive of the default setting `maxImportSize`, and other parameters. */
const archiveBody = {
  ...extension,
  files: ['file'],
  hidden: ['author'],
  maxBodySize: 51 * megabyte,
} satisfies RouteOptions

export const archiveRoutes = [
  route('POST /projects/:id/export', exports.create, accepted(), extension),
  route('GET /projects/:id/export', exports.get, one(ExportWire), extension),
  route('GET /projects/:id/export/download', exports.download, download, extension),
  route('POST /projects/import', imports.createProject, one(ImportWire), { ...archiveBody, ...namespaceOptions }),
  route('GET /projects/:id/import', imports.get, one(ImportWire), extension),
  route('POST /groups/:id/export', exports.create, accepted(), extension),
  route('GET /groups/:id/export', exports.get, one(ExportWire), extension),
  route('GET /groups/:id/export/download', exports.download, download, extension),
  route('POST /groups/import', imports.createGroup, accepted(), { ...archiveBody, names: { parent_id: 'parent' } }),
  route('GET /groups/:id/import', imports.get, one(ImportWire), extension),
]
