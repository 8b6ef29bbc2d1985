import type { Readable } from 'node:stream'

/** The kinds of packages that clients can filter by. Only generic packages are stored. */
export const packageTypes = [
  'generic',
  'maven',
  'npm',
  'conan',
  'nuget',
  'pypi',
  'composer',
  'golang',
  'debian',
  'rubygems',
  'helm',
  'terraform_module',
  'rpm',
  'ml_model',
] as const

export type PackageType = (typeof packageTypes)[number]

/** The states that clients can filter by. Packages are `default` or `hidden`. */
export const packageStatuses = [
  'default',
  'hidden',
  'processing',
  'error',
  'pending_destruction',
  'deprecated',
] as const

export type PackageStatus = (typeof packageStatuses)[number]

/** A version of a package in the package registry of a project. */
export interface Package {
  /** Unique on the instance. */
  id: number
  /** Name of the package. */
  name: string
  /** Version of the package. */
  version: string
  /** Kind of the package: `generic`. */
  packageType: PackageType
  /** `default`, or `hidden` for a package that lists omit. */
  status: PackageStatus
  /** Id of the project. */
  projectId: number
  /** Full path of the project. */
  projectPath: string
  /** When the first file was published: ISO 8601, UTC, with milliseconds. */
  createdAt: string
}

/** Another version of a package. */
export interface PackageVersion {
  /** Unique on the instance. */
  id: number
  /** Unique among the packages of this name in the project: `1.0.0`. */
  version: string
  /** When its first file was published: ISO 8601, UTC, with milliseconds. */
  createdAt: string
}

/** A package with its other versions. */
export interface PackageDetails extends Package {
  /** The other versions that are not hidden, newest first, at most 100. */
  versions: readonly PackageVersion[]
}

/** A file of a package. */
export interface PackageFile {
  /** Unique on the instance. */
  id: number
  /** Id of the package. */
  packageId: number
  /** Name of the file. Several files of a package can have the same name; the newest is downloaded. */
  fileName: string
  /** Size in bytes. */
  size: number
  /** SHA-256 digest of the content: 64 hexadecimal digits. */
  sha256: string
  /** SHA-1 digest of the content: 40 hexadecimal digits. */
  sha1: string
  /** MD5 digest of the content: 32 hexadecimal digits. */
  md5: string
  /** When it was published: ISO 8601, UTC, with milliseconds. */
  createdAt: string
}

/** A new file, with the package that it belongs to. */
export interface PublishedPackageFile extends PackageFile {
  /** The package that contains the file. */
  package: Package
}

/** A pipeline that published a package. */
export interface PackagePipeline {
  /** Unique on the instance. */
  id: number
  /** State of the pipeline. */
  status: string
  /** Branch or tag that it ran for. */
  ref: string
  /** Id of the commit that it ran for. */
  sha: string
}

/** The content of a file of a package. Read the stream completely or destroy it. */
export interface PackageFileContent {
  /** Name of the file. */
  fileName: string
  /** Size in bytes. */
  size: number
  /** SHA-256 digest of the content: 64 hexadecimal digits. */
  sha256: string
  /** The bytes; read the stream completely or destroy it. */
  content: Readable
}

/** The scopes of deploy tokens and job tokens that permit reading packages. */
export const packageReadScopes = ['read_package_registry', 'write_package_registry', 'job_token'] as const
