import { defined } from '../../../shared/defined.ts'
import type { ConfigBudget } from './budget.ts'
import { CiConfigError } from './config-error.ts'
import { isEntries } from './yaml.ts'

/** Values of variables by name. */
export type Variables = Readonly<Record<string, string>>

/** Variables of several sources; later ones replace earlier ones. */
export interface VariableScope {
  /** The value as it was written; undefined for an unknown variable. */
  get(name: string): string | undefined
  /**
   * Replaces `$NAME` and `${NAME}`, also in their values. Unknown variables become empty.
   *
   * @throws CiConfigError if the result is too long
   */
  expand(text: string): string
  /** This scope with further variables, which replace those of it. */
  with(variables: Variables): VariableScope
}

/** Characters of an expanded text. */
const maxExpandedLength = 65_536

const reference = /\$(?:\{(\w+)\}|(\w+))/g

export const createScope = (layers: readonly Variables[], budget: ConfigBudget): VariableScope => {
  const get = (name: string) => layers.findLast((layer) => Object.hasOwn(layer, name))?.[name]
  const expanded = new Map<string, string>()
  /** Variables that are being expanded. One that refers to itself stays as it was written. */
  const open = new Set<string>()
  const lookUp = (name: string, written: string): string => {
    const known = expanded.get(name)
    if (known !== undefined) return known
    const value = get(name)
    if (value === undefined) return ''
    if (open.has(name)) return written
    open.add(name)
    const result = expand(value)
    open.delete(name)
    expanded.set(name, result)
    return result
  }
  const expand = (text: string): string => {
    let result = ''
    let at = 0
    const add = (part: string) => {
      result += part
      if (result.length > maxExpandedLength)
        throw new CiConfigError(`A value with its variables is longer than ${maxExpandedLength} characters`)
    }
    for (const match of text.matchAll(reference)) {
      const [whole, braced, plain] = match
      add(text.slice(at, match.index))
      at = match.index + whole.length
      add(lookUp(defined(braced ?? plain), whole))
    }
    add(text.slice(at))
    budget.spend(0, result.length)
    return result
  }
  return { get, expand, with: (variables) => createScope([...layers, variables], budget) }
}

/** The variables of a mapping of a pipeline file. */
export const toVariables = (entries: unknown): Variables => {
  if (!isEntries(entries)) return {}
  return Object.fromEntries(
    Object.entries(entries).map(([name, value]) => [name, String(isEntries(value) ? (value.value ?? '') : value)]),
  )
}
