import type { Generated } from 'kysely'
import type { PackageManager, Vulnerability } from './dependency.ts'

export interface DependencyTables {
  /** What the last report says that a project is built of. */
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
