import type { Context } from '../../kernel/context.ts'
import type { Settings } from '../settings/definition.ts'
import type { GivenProjectSettings } from './settings.ts'

/** One of them, so that new repositories spread over all storages. */
const anyOf = (ctx: Context, storages: readonly string[]): string | undefined => {
  if (storages.length < 2) return storages[0]
  const [high = 0, low = 0] = ctx.ports.random.bytes(2)
  return storages[(high * 256 + low) % storages.length]
}

/** What a new project is given besides what its maker says: where it is stored, and its pipeline file. */
export function startingSettings(
  ctx: Context,
  { repositoryStorages, defaultCiConfigPath }: Pick<Settings, 'repositoryStorages' | 'defaultCiConfigPath'>,
  given: GivenProjectSettings | undefined,
): GivenProjectSettings | null {
  const repositoryStorage = anyOf(ctx, repositoryStorages)
  const starting = {
    ...(repositoryStorage !== undefined && repositoryStorage !== 'default' && { repositoryStorage }),
    ...(defaultCiConfigPath && { ciConfigPath: defaultCiConfigPath }),
    ...given,
  }
  return Object.keys(starting).length ? starting : null
}
