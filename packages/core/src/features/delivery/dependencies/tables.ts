import type { Generated } from 'kysely'
import type { PackageManager, Vulnerability } from './dependency.ts'

export interface DependencyTables {
  /** A dependency of a project: from the last report, or a lock file of its default branch. */
  dependency: {
    id: Generated<number>
    projectId: number
    name: string
    version: string
    packageManager: PackageManager
    dependencyFilePath: string
    /** Names of licenses. */
    licenses: readonly string[]
    vulnerabilities: readonly Vulnerability[]
  }
  /** A lock file whose packages are dependencies. */
  dependencyFile: {
    projectId: number
    path: string
    packageManager: PackageManager
    problem: string | null
    scannedAt: string
  }
}
