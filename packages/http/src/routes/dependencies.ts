import { type Dependency, type DependencyFile, type DependencyLicense, features } from '@forgelet/core/operations'
import * as v from 'valibot'
import { DateTime, NullableText, Url } from '../reply/field-types.ts'
import { page } from '../reply/responders.ts'
import { list, optional, wire } from '../reply/wire.ts'
import { route } from '../routing/route.ts'

const { dependencies } = features

/** A known vulnerability of a dependency. */
const VulnerabilityWire = wire<NonNullable<Dependency['vulnerabilities']>[number]>('Vulnerability')({
  name: v.string(),
  severity: v.string(),
})

/** A license of a dependency. */
const LicenseWire = wire<DependencyLicense>('DependencyLicense')({ name: v.string(), url: v.nullable(Url) })

/** Specification 2, "Dependency". */
const DependencyWire = wire<Dependency>('Dependency')({
  name: v.string(),
  version: v.string(),
  package_manager: v.string(),
  dependency_file_path: v.string(),
  licenses: list(LicenseWire),
  /** Only for users who may read the project's security information. */
  vulnerabilities: optional(list(VulnerabilityWire)),
})

const DependencyFileWire = wire<DependencyFile>('DependencyFile')({
  path: v.string(),
  package_manager: v.string(),
  problem: NullableText,
  scanned_at: DateTime,
})

export const dependencyRoutes = [
  route('GET /projects/:id/dependencies', dependencies.list, page(DependencyWire)),
  route('GET /projects/:id/dependencies/files', dependencies.listFiles, page(DependencyFileWire), { extension: true }),
]
