import { dockerfileTemplates, pipelineTemplates } from './templates/built-in.ts'
import { loadGitignores } from './templates/gitignores.ts'
import { loadLicenses } from './templates/licenses.ts'
import type { FileTemplate, LicenseTemplate } from './templates/template.ts'

export type { FileTemplate, LicenseTemplate } from './templates/template.ts'

/** Kinds of files that templates exist for. */
export const templateKinds = ['gitignores', 'gitlab_ci_ymls', 'dockerfiles', 'licenses'] as const
export type TemplateKind = (typeof templateKinds)[number]

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
