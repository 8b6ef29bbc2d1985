import { features } from '@forgelet/core/operations'
import * as v from 'valibot'
import { empty, one } from '../reply/responders.ts'
import type { Parameters } from '../request/parameters.ts'
import { type RouteOptions, route } from '../routing/route.ts'
import { ProjectDetailsWire, projectPageWithAccess } from '../shapes/project.ts'

const { forks } = features

const extension = { extension: true } as const

/** Three parameters name the namespace of a new project; `namespace_id` takes precedence. */
const readNamespace = ({ namespace, namespace_path: path, ...sent }: Parameters): Parameters => {
  const target = sent.namespace_id ?? path ?? namespace
  return { ...sent, ...(target !== undefined && { namespace_id: target }) }
}

/** The parameters for the namespace of a fork or an imported project. */
export const namespaceOptions = {
  extension: true,
  names: { namespace_id: 'namespace' },
  rewrite: readNamespace,
  wireParameters: {
    namespace_path: v.optional(
      v.pipe(v.string(), v.description('Full path of the namespace: another form of `namespace_id`.')),
    ),
    namespace: v.optional(
      v.pipe(v.string(), v.description('Id or full path of the namespace: an older form of `namespace_id`.')),
    ),
  },
} satisfies RouteOptions

export const forkRoutes = [
  route('POST /projects/:id/fork', forks.create, one(ProjectDetailsWire), namespaceOptions),
  route('GET /projects/:id/forks', forks.list, projectPageWithAccess, extension),
  route('POST /projects/:id/fork/:forked_from_id', forks.link, one(ProjectDetailsWire), {
    ...extension,
    names: { forked_from_id: 'forkedFrom' },
  }),
  route('DELETE /projects/:id/fork', forks.unlink, empty(), extension),
]
