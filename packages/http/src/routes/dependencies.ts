import { type Dependency, features } from '@forgelet/core/operations'
import * as v from 'valibot'
import { route } from '../route.ts'
import { page } from '../send.ts'
import { computed, wire } from '../wire.ts'

const { dependencies } = features

const Vulnerability = v.strictObject({ name: v.string(), severity: v.string() })

/** Specification 2, "Dependency". */
const DependencyWire = wire<Dependency>()({
  name: v.string(),
  version: v.string(),
  package_manager: v.string(),
  dependency_file_path: v.string(),
  /** Absent for those who may not see the security of the project. */
  vulnerabilities: computed(v.optional(v.array(Vulnerability)), ({ vulnerabilities }: Dependency) =>
    vulnerabilities?.map(({ name, severity }) => ({ name, severity })),
  ),
})

export const dependencyRoutes = [route('GET /projects/:id/dependencies', dependencies.list, page(DependencyWire))]
