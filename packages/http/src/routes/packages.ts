import { features, type PackageFileContent, type PublishResult } from '@forgelet/core/operations'
import * as v from 'valibot'
import { formatAttachment } from '../reply/content-disposition.ts'
import type { Reply } from '../reply/reply.ts'
import { ConfirmationWire, empty, file, one, page, type Responder } from '../reply/responders.ts'
import { type Site, variants } from '../reply/wire.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import {
  GroupPackageWire,
  PackageFileWire,
  PackagePipelineWire,
  PackageWire,
  PublishedPackageFileWire,
} from '../shapes/package.ts'

const { packages, packageFiles } = features

/** An attachment, so that browsers cannot run published content with the origin of this site. */
const download = file(
  ['application/octet-stream'],
  ({ fileName, size, sha256, content }: PackageFileContent) => ({
    bytes: content,
    headers: {
      'Content-Length': String(size),
      'Content-Type': 'application/octet-stream',
      'Content-Disposition': formatAttachment(fileName.slice(fileName.lastIndexOf('/') + 1), 'file'),
      'Content-Security-Policy': "sandbox; default-src 'none'",
      'Cache-Control': 'max-age=0, private, must-revalidate',
      // A digest of the content, which a newer file of the same name replaces.
      ETag: `"${sha256}"`,
    },
  }),
  [304],
)

const publishedShape = variants([ConfirmationWire, PublishedPackageFileWire], (result: PublishResult, site: Site) =>
  result.isSelected ? PublishedPackageFileWire(result, site) : ConfirmationWire({ message: '201 Created' }, site),
)

/** The details of the file only if they were requested. */
const published: Responder<PublishResult> = Object.assign(
  (result: PublishResult, site: Site): Reply => ({ status: 201, body: publishedShape.map(result, site) }),
  { status: 201, shape: publishedShape },
)

/** Not in the specification; build and release tools publish their files here. */
const extension = { extension: true } satisfies RouteOptions
const packageOptions = { ...extension, names: { package_id: 'package' } } satisfies RouteOptions
const fileOptions = {
  ...extension,
  names: { package_id: 'package', package_file_id: 'packageFile' },
} satisfies RouteOptions

const base = '/projects/:id/packages'
const genericPath = `${base}/generic/:package_name/:package_version/:file_name` as const

export const packageRoutes = [
  route(`GET ${base}`, packages.list, page(PackageWire), {
    ...extension,
    accepts: { order_by: v.optional(v.picklist(['created_at', 'name', 'version', 'type']), 'created_at') },
    hidden: ['excludeSubgroups'],
  }),
  route('GET /groups/:id/packages', packages.list, page(GroupPackageWire), extension),
  route(`GET ${base}/:package_id`, packages.get, one(PackageWire), packageOptions),
  route(`DELETE ${base}/:package_id`, packages.remove, empty(), packageOptions),
  route(`GET ${base}/:package_id/pipelines`, packages.listPipelines, page(PackagePipelineWire), packageOptions),
  route(`GET ${base}/:package_id/package_files`, packageFiles.list, page(PackageFileWire), packageOptions),
  route(`DELETE ${base}/:package_id/package_files/:package_file_id`, packageFiles.remove, empty(), fileOptions),
  route(`PUT ${genericPath}`, packages.publishGeneric, published, { ...extension, stream: 'content' }),
  route(`GET ${genericPath}`, packages.downloadGeneric, download, extension),
]
