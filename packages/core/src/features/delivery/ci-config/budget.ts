import { CiConfigError } from './config-error.ts'

/**
 * Limits what becomes of one pipeline file: all values that anchors, `extends`, references, defaults and matrices add count, so
 * that a small file cannot become a huge pipeline.
 */
export interface ConfigBudget {
  /**
   * Called before values are added.
   *
   * @throws CiConfigError when the file has too many values or characters
   */
  spend(values: number, characters?: number): void
}

/** Keys and values of a file with its included files, each counted as often as a step copies it. */
export const maxValues = 300_000
/** Characters of these values. */
const maxCharacters = 8_388_608

export const tooManyValues = () =>
  new CiConfigError(
    `The parsed YAML is too big: with anchors, \`extends\`, references and defaults, the maximum is ${maxValues} values and ${maxCharacters} characters`,
  )

export const createConfigBudget = (): ConfigBudget => {
  let values = maxValues
  let characters = maxCharacters
  return {
    spend(addedValues, addedCharacters = 0) {
      values -= addedValues
      characters -= addedCharacters
      if (values < 0 || characters < 0) throw tooManyValues()
    },
  }
}
