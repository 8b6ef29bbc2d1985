import type { Generated } from 'kysely'
import type { PackageManager, Vulnerability } from './dependency.ts'

export interface DependencyTables {
  /** A dependency in the last report of a project. */
  dependency: {
    id: Generated<number>
    projectId: number
    name: string
    version: string
    packageManager: PackageManager
    dependencyFilePath: string
    vulnerabilities: readonly Vulnerability[]
  }
}
