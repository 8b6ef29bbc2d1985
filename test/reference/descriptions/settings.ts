import type ts from 'typescript'
import {
  type SettingName,
  settingAliases,
  settingDefinition,
  settingDefinitions,
} from '../../../packages/core/src/features/administration/settings/definition.ts'

/** The description of an application setting. They are defined as values, so their types have no comments. */
export const describeSetting = (name: string, symbol: ts.Symbol): string => {
  if (symbol.declarations?.length) return ''
  const current = Object.hasOwn(settingAliases, name) ? settingAliases[name as keyof typeof settingAliases] : name
  return Object.hasOwn(settingDefinitions, current) ? settingDefinition(current as SettingName).description : ''
}
