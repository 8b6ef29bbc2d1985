/** Specification 2, "Dependencies". */
export const packageManagers = ['bundler', 'composer', 'maven', 'npm', 'pip', 'yarn'] as const

export type PackageManager = (typeof packageManagers)[number]

export const severities = ['unknown', 'info', 'low', 'medium', 'high', 'critical'] as const

/** A known vulnerability of a dependency, as the report describes it. */
export interface Vulnerability {
  /** Name or title, as reported. */
  name: string
  /** Severity, from `info` to `critical`; `unknown` if the reporter could not determine it. */
  severity: (typeof severities)[number]
}

/** A third-party package that a project uses. */
export interface Dependency {
  /** Name of the package in its package manager. */
  name: string
  /** Installed version, as reported; may be empty. */
  version: string
  /** The package manager that installs the package. */
  packageManager: PackageManager
  /** Path of the file that declares the package, relative to the repository root: `web/yarn.lock`; may be empty. */
  dependencyFilePath: string
  /** Known vulnerabilities, empty for none; omitted if the current user is not permitted to read them. */
  vulnerabilities?: readonly Vulnerability[]
}

/** The result of a report. */
export interface DependencyReport {
  /** Number of stored dependencies. */
  total: number
}
