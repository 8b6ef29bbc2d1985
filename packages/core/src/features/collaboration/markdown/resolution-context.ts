import type { Project } from '../../../contract/project.ts'
import type { Context } from '../../../kernel/context.ts'
import type { Reference, Resolved } from '../../../ports/markdown/reference.ts'

/** Stores the result for a reference; the first result counts. */
type SetResolved = (reference: Reference, resolved: Resolved) => void

/** Shared by the resolvers of all kinds of references. */
export interface ResolutionContext {
  readonly ctx: Context
  /** The project of references without a project path. */
  readonly contextProject: Project | undefined
  /** The URL of a path such as `/acme/web/-/issues/1`; absolute when the site has a URL. */
  url(path: string): string
  readonly setResolved: SetResolved
}
