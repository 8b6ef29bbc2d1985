import type { Context } from '../../../kernel/context.ts'
import type { Settings } from '../../administration/settings/definition.ts'
import type { PartialProjectSettings } from './settings.ts'
import { withoutStorage } from './stored-settings.ts'

/** A random storage, which distributes new repositories evenly. */
export const pickStorage = (ctx: Context, storages: readonly string[]): string | undefined => {
  if (storages.length < 2) return storages[0]
  const [high = 0, low = 0] = ctx.ports.random.bytes(2)
  return storages[(high * 256 + low) % storages.length]
}

/** Settings of a new project: the input, with the instance defaults for storage and pipeline file. */
export function initialSettings(
  ctx: Context,
  { repositoryStorages, defaultCiConfigPath }: Pick<Settings, 'repositoryStorages' | 'defaultCiConfigPath'>,
  input: PartialProjectSettings | undefined,
): PartialProjectSettings | null {
  const repositoryStorage = pickStorage(ctx, repositoryStorages)
  const settings = {
    ...(repositoryStorage !== undefined && repositoryStorage !== 'default' && { repositoryStorage }),
    ...(defaultCiConfigPath && { ciConfigPath: defaultCiConfigPath }),
    ...withoutStorage(ctx, input),
  }
  return Object.keys(settings).length ? settings : null
}
