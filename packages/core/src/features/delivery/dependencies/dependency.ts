/** Specification 2, "Dependencies", and `pnpm` of GitLab. */
export const packageManagers = ['bundler', 'composer', 'maven', 'npm', 'pip', 'pnpm', 'yarn'] as const

export type PackageManager = (typeof packageManagers)[number]

export const severities = ['unknown', 'info', 'low', 'medium', 'high', 'critical'] as const

/** A known vulnerability of a dependency, as the report describes it. */
export interface Vulnerability {
  /** Name or title, as reported. */
  name: string
  /** Severity, from `info` to `critical`; `unknown` if the reporter could not determine it. */
  severity: (typeof severities)[number]
}

/** A license of a dependency. */
export interface DependencyLicense {
  /** SPDX expression, as the lock file has it: `MIT`. */
  name: string
  /** Page of a license in the SPDX list; null for a name that the platform does not know. */
  url: string | null
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
  /** Licenses, if the lock file names them; otherwise empty. */
  licenses: readonly DependencyLicense[]
  /** Known vulnerabilities, empty for none; omitted if the current user is not permitted to read them. */
  vulnerabilities?: readonly Vulnerability[]
}

/** A lock file on the default branch, as it was last read. */
export interface DependencyFile {
  /** Path relative to the repository root: `web/yarn.lock`. */
  path: string
  /** The package manager that writes the file. */
  packageManager: PackageManager
  /** Why the file cannot be read, such as `is not valid JSON`; null if it was read. Its earlier dependencies remain listed. */
  problem: string | null
  /** When the file was read: ISO 8601, UTC, with milliseconds. */
  scannedAt: string
}

/** The result of a report. */
export interface DependencyReport {
  /** Number of stored dependencies. */
  total: number
}
