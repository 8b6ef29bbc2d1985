import type { Generated } from 'kysely'
import type { PackageStatus, PackageType } from './package.ts'

export interface PackageTables {
  /** A package with one version, unique in its project by type, name and version. */
  package: {
    id: Generated<number>
    projectId: number
    packageType: PackageType
    name: string
    version: string
    status: PackageStatus
    createdAt: string
  }
  /** A file of a package. Several can have the same name: the newest one is downloaded. */
  packageFile: {
    id: Generated<number>
    packageId: number
    fileName: string
    /** Bytes. */
    size: number
    sha256: string
    sha1: string
    md5: string
    /** The file in the file storage. */
    storageKey: string
    createdAt: string
  }
}
