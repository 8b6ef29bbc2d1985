/** Specification 2, "Dependencies". */
export const packageManagers = ['bundler', 'composer', 'maven', 'npm', 'pip', 'yarn'] as const

export type PackageManager = (typeof packageManagers)[number]

export const severities = ['unknown', 'info', 'low', 'medium', 'high', 'critical'] as const

export interface Vulnerability {
  name: string
  severity: (typeof severities)[number]
}

/** A third-party package that a project uses. */
export interface Dependency {
  name: string
  version: string
  packageManager: PackageManager
  /** Path of the file that declares it, relative to the repository root: `web/yarn.lock`. */
  dependencyFilePath: string
  /** Absent if the caller may not read vulnerabilities. */
  vulnerabilities?: readonly Vulnerability[]
}
