import type { Package, PackageFile, PackagePipeline, PublishedPackageFile } from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, Integer, Url } from '../reply/field-types.ts'
import { computed, list, type Site, wire } from '../reply/wire.ts'

/** A pipeline that published a package. */
export const PackagePipelineWire = wire<PackagePipeline>('PackagePipeline')({
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
export const PackageWire = wire<Package>('Package')(packageFields)

/** A package in the list of a group. */
export const GroupPackageWire = wire<Package>('GroupPackage')({
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
export const PackageFileWire = wire<PackageFile>('PackageFile')({
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
export const PublishedPackageFileWire = wire<PublishedPackageFile>('PublishedPackageFile')({
  ...fileFields,
  /** When it was published; files do not change. */
  updated_at: computed(DateTime, ({ createdAt }: PublishedPackageFile) => createdAt),
  /** Where the content is. */
  file: computed(FileUrlWire, (source: PublishedPackageFile) => source),
  /** State of the package. */
  status: computed(v.string(), (source: PublishedPackageFile) => source.package.status),
})
