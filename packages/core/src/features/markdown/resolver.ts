import type { Context } from '../../kernel/context.ts'
import type { Reference, Resolve, Resolved } from '../../ports/markdown/reference.ts'
import type { Project } from '../projects/project.ts'
import { resolveInGroups } from './in-groups.ts'
import { resolveInProjects } from './in-projects.ts'
import { resolvePeople } from './people.ts'
import { resolveSnippets } from './snippets.ts'

/** Takes what was found for a reference; a later finding for the same one is ignored. */
export type Found = (reference: Reference, resolved: Resolved) => void

/** What each family of references needs to know. */
export interface Resolving {
  readonly ctx: Context
  /** The project that references without a project are about. */
  readonly home: Project | undefined
  /** An address of this site: `/acme/web/-/issues/1`. */
  url(path: string): string
  readonly found: Found
}

const families = [resolveInProjects, resolveInGroups, resolvePeople, resolveSnippets]

/**
 * Finds what references name, through the caller's eyes: a thing that they cannot read is not found, like one that does
 * not exist. A handful of queries a project or group, however many references there are.
 */
export async function resolver(
  ctx: Context,
  references: readonly Reference[],
  home: Project | undefined,
): Promise<Resolve> {
  const known = new Map<Reference, Resolved>()
  const resolving: Resolving = {
    ctx,
    home,
    url: (path) => `${ctx.call.siteUrl ?? ''}${path}`,
    found: (reference, resolved) => void (known.has(reference) || known.set(reference, resolved)),
  }
  for (const resolve of families) await resolve(resolving, references)
  return (reference) => known.get(reference)
}
