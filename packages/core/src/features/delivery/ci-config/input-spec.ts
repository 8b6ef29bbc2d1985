import { compileNamePattern } from '../../../kernel/name-pattern.ts'
import { CiConfigError } from './config-error.ts'
import { compileExpression } from './expression.ts'
import { isMissing } from './rules.ts'
import { type Entries, isEntries } from './yaml.ts'

/** Values of the inputs of a file by name. */
export type InputValues = ReadonlyMap<string, unknown>

/** Values for the inputs of a file, by name. */
export interface GivenInputs {
  readonly values: Entries
  /** Whether texts can stand for values of other types, because forms contain only texts. */
  readonly areTexts: boolean
}

/** Options of one input: as in GitLab. */
const maxOptions = 50

const isNumber = (value: unknown) =>
  typeof value === 'number' || (typeof value === 'string' && /^-?\d+\.\d+$/.test(value))

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

interface InputType {
  /** With its article, for errors. */
  readonly name: string
  readonly isValid: (value: unknown) => boolean
  /** The value of a text. */
  readonly parse: (text: string) => unknown
}

const types: Readonly<Record<string, InputType>> = {
  string: { name: 'a string', isValid: (value) => typeof value === 'string', parse: (text) => text },
  number: {
    name: 'a number',
    isValid: isNumber,
    parse: (text) => (/^-?\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : text),
  },
  boolean: {
    name: 'a boolean',
    isValid: (value) => typeof value === 'boolean',
    parse: (text) => ({ true: true, false: false })[text] ?? text,
  },
  array: { name: 'an array', isValid: Array.isArray, parse: parseJson },
}

const specKeys = ['default', 'description', 'options', 'regex', 'rules', 'type']

const headerProblem = (name: string, problem: string) =>
  new CiConfigError(`header:spec:inputs:${name.slice(0, 255)} ${problem}`)

interface InputSpec {
  readonly name: string
  readonly type: InputType
  readonly entries: Entries
}

const checkSpec = (name: string, value: unknown): InputSpec => {
  const entries = value ?? {}
  if (!isEntries(entries)) throw headerProblem(name, 'config should be a hash')
  const unknown = Object.keys(entries).filter((key) => !specKeys.includes(key))
  if (unknown.length) throw headerProblem(name, `config contains unknown keys: ${unknown.join(', ').slice(0, 1_000)}`)
  const typeName = entries.type ?? 'string'
  const type = typeof typeName === 'string' && Object.hasOwn(types, typeName) ? types[typeName] : undefined
  if (type === undefined) throw headerProblem(name, `input type unknown value: ${String(typeName).slice(0, 100)}`)
  const { options, rules } = entries
  if (!isMissing(options) && !(Array.isArray(options) && options.length <= maxOptions))
    throw headerProblem(name, `options config should be an array of at most ${maxOptions} values`)
  if (!isMissing(rules) && !(Array.isArray(rules) && rules.every(isEntries)))
    throw headerProblem(name, 'rules config should be an array of hashes')
  if (!isMissing(rules) && ['default', 'options'].some((key) => Object.hasOwn(entries, key)))
    throw headerProblem(name, 'config these keys cannot be used together: rules with options or default')
  return { name, type, entries }
}

const inputReference = /\$\[\[\s*inputs\.([\w-]+)\s*\]\]/g

/** Whether the condition of a rule of an input is true: a condition with variables, in which inputs are the variables. */
const isTrue = ({ name }: InputSpec, condition: unknown, values: InputValues): boolean => {
  const names: string[] = []
  const text = String(condition).replace(inputReference, (_, input) => `$input${names.push(String(input)) - 1}`)
  try {
    return compileExpression(text)((variable) => {
      const value = values.get(names[Number(variable.slice('input'.length))] ?? '')
      return isMissing(value) ? undefined : String(value)
    })
  } catch (error) {
    if (error instanceof CiConfigError) throw headerProblem(name, `rules:if ${error.problems.join(', ')}`)
    throw error
  }
}

/** What limits an input: its own keys, or those of the first of its rules that matches. */
const findLimits = (spec: InputSpec, values: InputValues): Entries => {
  const { rules } = spec.entries
  if (!Array.isArray(rules)) return spec.entries
  const rule = rules.find((entry) => isMissing(entry.if) || isTrue(spec, entry.if, values))
  return { ...spec.entries, ...rule }
}

/** Returns the problem of a value. */
const checkValue = ({ name, type }: InputSpec, value: unknown, { options, regex }: Entries, kind: string) => {
  if (isMissing(value) && kind === 'default') return undefined
  if (!type.isValid(value)) return `${kind} value is not ${type.name}`
  if (Array.isArray(options) && !options.some((option) => String(option) === String(value)))
    return `\`${String(value).slice(0, 100)}\` cannot be used because it is not in the list of allowed options`
  if (isMissing(regex)) return undefined
  if (type !== types.string) throw headerProblem(name, 'RegEx validation can only be used with string inputs')
  const compiled = compileNamePattern(String(regex))
  if ('problem' in compiled) throw headerProblem(name, `regex ${compiled.problem}`)
  return compiled.pattern.matchesPart(String(value)) ? undefined : `${kind} value does not match required RegEx pattern`
}

const resolveInput = (spec: InputSpec, { values: given, areTexts }: GivenInputs, known: InputValues): unknown => {
  const limits = findLimits(spec, known)
  const isGiven = Object.hasOwn(given, spec.name)
  if (!isGiven && !Object.hasOwn(limits, 'default'))
    throw new CiConfigError(`\`${spec.name}\` input: required value has not been provided`)
  const raw = isGiven ? given[spec.name] : limits.default
  const value = isGiven && areTexts && typeof raw === 'string' ? spec.type.parse(raw) : raw
  const problem = checkValue(spec, value, limits, isGiven ? 'provided' : 'default')
  if (problem) throw new CiConfigError(`\`${spec.name}\` input: ${problem}`)
  return value
}

/**
 * The values of the inputs that the header of a file declares.
 *
 * @throws CiConfigError for an invalid header, and for missing, unknown and invalid values
 */
export const resolveInputs = (header: Entries | undefined, given: GivenInputs): InputValues => {
  const spec = header?.spec ?? {}
  if (!isEntries(spec)) throw new CiConfigError('header:spec config should be a hash')
  const unknownKeys = Object.keys(spec).filter((key) => key !== 'inputs')
  if (unknownKeys.length)
    throw new CiConfigError(`header:spec config contains unknown keys: ${unknownKeys.join(', ').slice(0, 1_000)}`)
  const declared = spec.inputs ?? {}
  if (!isEntries(declared)) throw new CiConfigError('header:spec:inputs config should be a hash')
  const names = Object.keys(given.values)
  if (names.length && header === undefined)
    throw new CiConfigError('Given inputs not defined in the `spec` section of the included configuration file')
  const unknown = names.filter((name) => !Object.hasOwn(declared, name))
  if (unknown.length) throw new CiConfigError(`unknown input arguments: ${unknown.join(', ').slice(0, 1_000)}`)
  const specs = Object.entries(declared).map(([name, entries]) => checkSpec(name, entries))
  const values = new Map<string, unknown>()
  // Conditions of rules can refer to inputs that are declared later, but not to those with rules.
  const ordered = [
    ...specs.filter(({ entries }) => isMissing(entries.rules)),
    ...specs.filter(({ entries }) => !isMissing(entries.rules)),
  ]
  for (const input of ordered) values.set(input.name, resolveInput(input, given, values))
  return values
}
