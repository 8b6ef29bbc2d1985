import { type Dependency, features } from '@forgelet/core/operations'
import * as v from 'valibot'
import { page } from '../reply/responders.ts'
import { list, optional, wire } from '../reply/wire.ts'
import { route } from '../routing/route.ts'

const { dependencies } = features

/** A known vulnerability of a dependency. */
const VulnerabilityWire = wire<NonNullable<Dependency['vulnerabilities']>[number]>('Vulnerability')({
  name: v.string(),
  severity: v.string(),
})

/** Specification 2, "Dependency". */
const DependencyWire = wire<Dependency>('Dependency')({
  name: v.string(),
  version: v.string(),
  package_manager: v.string(),
  dependency_file_path: v.string(),
  /** Only for users who may read the project's security information. */
  vulnerabilities: optional(list(VulnerabilityWire)),
})

export const dependencyRoutes = [route('GET /projects/:id/dependencies', dependencies.list, page(DependencyWire))]
