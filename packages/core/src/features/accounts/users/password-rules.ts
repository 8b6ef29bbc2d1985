import type { Context } from '../../../kernel/context.ts'
import { invalid } from '../../../kernel/errors.ts'
import type { Settings } from '../../administration/settings/definition.ts'
import { getSettings } from '../../administration/settings/queries.ts'

type CharacterSetting =
  | 'passwordNumberRequired'
  | 'passwordLowercaseRequired'
  | 'passwordUppercaseRequired'
  | 'passwordSymbolRequired'

/** Characters that passwords must contain, with their names. Settings of the paid tier. */
const characterRules = [
  ['passwordNumberRequired', /\p{Nd}/u, 'number'],
  ['passwordLowercaseRequired', /\p{Ll}/u, 'lowercase letter'],
  ['passwordUppercaseRequired', /\p{Lu}/u, 'uppercase letter'],
  ['passwordSymbolRequired', /[^\p{L}\p{N}]/u, 'symbol'],
] as const satisfies readonly (readonly [CharacterSetting, RegExp, string])[]

const findProblems = (password: string, settings: Settings, tier: Context['tier']): readonly string[] => {
  const { minimumPasswordLength: minimum } = settings
  const missing = characterRules.filter(([name, pattern]) => settings[name] && !pattern.test(password))
  return [
    ...([...password].length < minimum ? [`is too short (minimum is ${minimum} characters)`] : []),
    ...(tier === 'paid' ? missing.map(([, , name]) => `must contain at least one ${name}`) : []),
  ]
}

/** @throws PlatformError `invalid` for a password that the settings do not permit */
export const assertPermittedPassword = async (ctx: Context, password: string): Promise<void> => {
  const problems = findProblems(password, await getSettings(ctx), ctx.tier)
  if (problems.length > 0) throw invalid({ password: [...problems] })
}
