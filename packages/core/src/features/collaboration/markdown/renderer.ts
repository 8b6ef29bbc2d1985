import type { Project } from '../../../contract/project.ts'
import type { Context } from '../../../kernel/context.ts'
import type { TransactionRunner } from '../../../kernel/deferred.ts'
import type { Reference, Resolve, Resolved } from '../../../ports/markdown/reference.ts'
import { getImageProxy } from '../../administration/settings/image-proxy.ts'
import { getSettings } from '../../administration/settings/queries.ts'
import { resolveInGroups } from './group-references.ts'
import { resolveInProjects } from './project-references.ts'
import type { ResolutionContext } from './resolution-context.ts'
import { resolveSnippets, resolveUsersAndGroups } from './users-and-groups.ts'

const families = [resolveInProjects, resolveInGroups, resolveUsersAndGroups, resolveSnippets]

/**
 * Looks up the objects of all references that the current user may read. The number of queries depends on the number of
 * projects and groups, not on the number of references.
 */
async function createResolver(
  ctx: Context,
  references: readonly Reference[],
  contextProject: Project | undefined,
): Promise<Resolve> {
  const known = new Map<Reference, Resolved>()
  const resolving: ResolutionContext = {
    ctx,
    contextProject,
    url: (path) => `${ctx.call.siteUrl ?? ''}${path}`,
    setResolved: (reference, resolved) => void (known.has(reference) || known.set(reference, resolved)),
  }
  for (const resolve of families) await resolve(resolving, references)
  return (reference) => known.get(reference)
}

/** Creates the function that renders texts for the current user, with references relative to the project `home`. */
export const createRenderer = async (ctx: Context, home: Project | undefined) => {
  const { siteUrl } = ctx.call
  const imageProxy = await getImageProxy(ctx)
  const { diagramtoolEnabled, diagramtoolUrl } = await getSettings(ctx)
  return (read: TransactionRunner['read'], text: string, flavour: 'platform' | 'plain') =>
    ctx.ports.markdown.render(text, flavour, {
      ...(siteUrl !== undefined && { baseUrl: siteUrl }),
      ...(imageProxy && { imageProxy }),
      ...(diagramtoolEnabled && diagramtoolUrl && { diagramServer: diagramtoolUrl }),
      resolve: (references) => read((reading) => createResolver(reading, references, home)),
    })
}
