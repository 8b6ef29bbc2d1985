import { dockerfileTemplates, pipelineTemplates } from './templates/built-in.ts'
import { loadGitignores } from './templates/gitignores.ts'
import { loadLicenses } from './templates/licenses.ts'

/** Kinds of files that templates exist for. */
export const templateKinds = ['gitignores', 'gitlab_ci_ymls', 'dockerfiles', 'licenses'] as const
export type TemplateKind = (typeof templateKinds)[number]

/** A text to start a new file with. */
export interface FileTemplate {
  /** Unique in its kind, such as `Node` or `mit`. */
  readonly key: string
  /** Display name, such as `Node.js` or `MIT License`. */
  readonly name: string
  /** The text. In licenses, `[year]`, `[fullname]`, `[project]` and the placeholders of well-known licenses are replaced. */
  readonly content: string
}

/** The text of a license and what it says. */
export interface LicenseTemplate extends FileTemplate {
  /** A common shorter name. */
  readonly nickname?: string
  /** One sentence about it. */
  readonly description?: string
  /** Whether it is among the most common ones. Default: false. */
  readonly popular?: boolean
  /** URL of a page about it. */
  readonly htmlUrl?: string
  /** URL of its original text. */
  readonly sourceUrl?: string
  /** What it requires, such as `include-copyright`. */
  readonly conditions?: readonly string[]
  /** What it allows, such as `commercial-use`. */
  readonly permissions?: readonly string[]
  /** What it limits, such as `liability`. */
  readonly limitations?: readonly string[]
}

/** Licenses have more fields than other templates. */
export type TemplateOf<K extends TemplateKind> = K extends 'licenses' ? LicenseTemplate : FileTemplate

/** Templates of the instance. */
export interface Templates {
  /** All templates of a kind, in the order of lists. */
  list<K extends TemplateKind>(kind: K): Promise<readonly TemplateOf<K>[]> | readonly TemplateOf<K>[]
}

/** Templates from lists; kinds without a list have no templates. */
export const templatesFrom = (lists: {
  readonly gitignores?: readonly FileTemplate[]
  readonly gitlab_ci_ymls?: readonly FileTemplate[]
  readonly dockerfiles?: readonly FileTemplate[]
  readonly licenses?: readonly LicenseTemplate[]
}): Templates => ({
  list: (kind) => (lists[kind] ?? []) as never,
})

const readOnce = <T>(load: () => Promise<T>): (() => Promise<T>) => {
  let loaded: Promise<T> | undefined
  return () => (loaded ??= load())
}

const loaders = {
  gitignores: readOnce(loadGitignores),
  gitlab_ci_ymls: () => Promise.resolve(pipelineTemplates),
  dockerfiles: () => Promise.resolve(dockerfileTemplates),
  licenses: readOnce(loadLicenses),
}

/**
 * 13 open source licenses with the summaries of choosealicense.com, the ignore files of github/gitignore (CC0), and a few short
 * pipelines and Dockerfiles.
 */
export const defaultTemplates: Templates = {
  list: async (kind) => (await loaders[kind]()) as never,
}
