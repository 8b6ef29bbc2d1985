import {
  features,
  type Package,
  type PackageDetails,
  type PackageFile,
  type PackageFileContent,
  type PackagePipeline,
  type PackageVersion,
  type PublishedPackageFile,
  type PublishResult,
} from '@forgelet/core/operations'
import * as v from 'valibot'
import { formatAttachment } from '../reply/content-disposition.ts'
import { DateTime, Integer, Url } from '../reply/field-types.ts'
import type { Reply } from '../reply/reply.ts'
import { ConfirmationWire, empty, file, one, page, type Responder } from '../reply/responders.ts'
import { computed, list, type Site, variants, wire } from '../reply/wire.ts'
import { type RouteOptions, route } from '../routing/route.ts'

/** A pipeline that published a package. */
const PackagePipelineWire = wire<PackagePipeline>('PackagePipeline')({
  id: Integer,
  status: v.string(),
  ref: v.string(),
  sha: v.string(),
})

const PackageLinksWire = wire<Package>('PackageLinks')({
  /** Path of the page of the package. */
  web_path: computed(v.string(), ({ id, projectPath }: Package) => `/${projectPath}/-/packages/${id}`),
  /** URL that removes the package with DELETE. */
  delete_api_path: computed(
    Url,
    ({ id, projectId }: Package, { url }: Site) => `${url}/api/v4/projects/${projectId}/packages/${id}`,
  ),
})

const packageFields = {
  id: Integer,
  name: v.string(),
  version: v.string(),
  package_type: v.string(),
  status: v.string(),
  /** Where the package is shown, and removed. */
  _links: computed(PackageLinksWire, (source: Package) => source),
  created_at: DateTime,
  /** Tags of the package; always empty for generic packages. */
  tags: computed(v.array(v.string()), () => []),
  /** Pipelines that published the package; always empty, because the platform does not record them. */
  pipelines: computed(list(PackagePipelineWire), () => []),
} as const

/** A package in a project. */
const PackageWire = wire<Package>('Package')(packageFields)

/** Another version of a package. */
const PackageVersionWire = wire<PackageVersion>('PackageVersion')({
  id: Integer,
  version: v.string(),
  created_at: DateTime,
  /** Pipelines that published the version; always empty, because the platform does not record them. */
  pipelines: computed(list(PackagePipelineWire), () => []),
})

/** A package with its other versions. */
const PackageDetailsWire = wire<PackageDetails>('PackageDetails')({
  ...packageFields,
  versions: list(PackageVersionWire),
})

/** A package in the list of a group. */
const GroupPackageWire = wire<Package>('GroupPackage')({
  ...packageFields,
  project_id: Integer,
  project_path: v.string(),
})

const fileFields = {
  id: Integer,
  package_id: Integer,
  created_at: DateTime,
  file_name: v.string(),
  size: Integer,
  /** MD5 digest of the content: 32 hexadecimal digits. */
  file_md5: computed(v.string(), ({ md5 }: PackageFile) => md5),
  /** SHA-1 digest of the content: 40 hexadecimal digits. */
  file_sha1: computed(v.string(), ({ sha1 }: PackageFile) => sha1),
  /** SHA-256 digest of the content: 64 hexadecimal digits. */
  file_sha256: computed(v.string(), ({ sha256 }: PackageFile) => sha256),
} as const

/** A file of a package. */
const PackageFileWire = wire<PackageFile>('PackageFile')({
  ...fileFields,
  /** Pipelines that published the file; always empty, because the platform does not record them. */
  pipelines: computed(list(PackagePipelineWire), () => []),
})

const createFileUrl = ({ fileName, package: { projectId, name, version } }: PublishedPackageFile, { url }: Site) => {
  const path = [name, version, fileName].map(encodeURIComponent).join('/')
  return `${url}/api/v4/projects/${projectId}/packages/generic/${path}`
}

const FileUrlWire = wire<PublishedPackageFile>('PackageFileUrl')({
  /** URL of the content. */
  url: computed(Url, createFileUrl),
})

/** A new file of a package. */
const PublishedPackageFileWire = wire<PublishedPackageFile>('PublishedPackageFile')({
  ...fileFields,
  /** When it was published; files do not change. */
  updated_at: computed(DateTime, ({ createdAt }: PublishedPackageFile) => createdAt),
  /** Where the content is. */
  file: computed(FileUrlWire, (source: PublishedPackageFile) => source),
  /** State of the package. */
  status: computed(v.string(), (source: PublishedPackageFile) => source.package.status),
})

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
  route(`GET ${base}/:package_id`, packages.get, one(PackageDetailsWire), packageOptions),
  route(`DELETE ${base}/:package_id`, packages.remove, empty(), packageOptions),
  route(`GET ${base}/:package_id/pipelines`, packages.listPipelines, page(PackagePipelineWire), packageOptions),
  route(`GET ${base}/:package_id/package_files`, packageFiles.list, page(PackageFileWire), packageOptions),
  route(
    `GET ${base}/:package_id/package_files/:package_file_id/download`,
    packageFiles.download,
    download,
    fileOptions,
  ),
  route(`DELETE ${base}/:package_id/package_files/:package_file_id`, packageFiles.remove, empty(), fileOptions),
  route(`PUT ${genericPath}`, packages.publishGeneric, published, { ...extension, stream: 'content' }),
  route(`GET ${genericPath}`, packages.downloadGeneric, download, extension),
]
