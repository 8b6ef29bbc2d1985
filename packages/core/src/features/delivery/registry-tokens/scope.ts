import { isRepositoryName } from '../container-repositories/container-repository.ts'

/** What a token permits on a repository of the registry. `*` is the removal of the whole repository. */
export type RegistryAction = 'pull' | 'push' | 'delete' | '*'

/** One entry of the claim `access` of a registry token. */
export interface RegistryAccess {
  /** `repository`, or `registry` for the list of all repositories. */
  readonly type: 'repository' | 'registry'
  /** Path of the repository, such as `acme/web/worker`, or `catalog`. */
  readonly name: string
  /** The permitted actions. */
  readonly actions: readonly RegistryAction[]
}

const actions: readonly string[] = ['pull', 'push', 'delete', '*'] satisfies readonly RegistryAction[]

const isAction = (text: string): text is RegistryAction => actions.includes(text)

/**
 * Parses a scope such as `repository:acme/web:pull,push` (Docker token authentication specification). Unknown actions are
 * omitted. Paths are compared as they are: one that is not lower case, or has empty or relative parts, is no repository.
 *
 * @returns undefined for anything else than a repository or `registry:catalog:*`
 */
export const parseScope = (text: string): RegistryAccess | undefined => {
  const [, type, name = '', list = ''] = /^([a-z]+):(.*):([a-z*,]+)$/s.exec(text) ?? []
  if (type === 'registry') {
    return name === 'catalog' && list === '*' ? { type, name, actions: ['*'] } : undefined
  }
  if (type !== 'repository' || !isRepositoryName(name)) return undefined
  return { type, name, actions: [...new Set(list.split(','))].filter(isAction) }
}
