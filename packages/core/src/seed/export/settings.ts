import {
  defaultSettings,
  isSecretSetting,
  settingInputs,
  settingNames,
} from '../../features/administration/settings/definition.ts'
import type { Seed } from '../seed.ts'
import type { Exporter } from './exporter.ts'
import { changedSettings } from './groups.ts'

/** The application settings that differ from their defaults, without secrets. */
export async function exportSettings({ host }: Exporter): Promise<Seed['settings']> {
  const values = (await host.settings.get()) as unknown as Readonly<Record<string, unknown>>
  const changed = changedSettings(values, defaultSettings()) ?? {}
  const exported: Record<string, unknown> = {}
  for (const name of settingNames) {
    const isSettable = Object.hasOwn(settingInputs, name) && !isSecretSetting(name)
    if (!isSettable || !Object.hasOwn(changed, name)) continue
    exported[name] = changed[name]
  }
  return Object.keys(exported).length ? exported : undefined
}
