/** Specification 2, "Dependencies". */
export const packageManagers = ['bundler', 'composer', 'maven', 'npm', 'pip', 'yarn'] as const

export type PackageManager = (typeof packageManagers)[number]

export const severities = ['unknown', 'info', 'low', 'medium', 'high', 'critical'] as const

export interface Vulnerability {
  name: string
  severity: (typeof severities)[number]
}

/** Something that a project is built of. */
export interface Dependency {
  name: string
  version: string
  packageManager: PackageManager
  /** The file that asks for it, from the root of the repository: `web/yarn.lock`. */
  dependencyFilePath: string
  /** Absent for readers who may not see the security of the project. */
  vulnerabilities?: readonly Vulnerability[]
}
