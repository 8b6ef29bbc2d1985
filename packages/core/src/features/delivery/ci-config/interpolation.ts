import type { ConfigBudget } from './budget.ts'
import { CiConfigError } from './config-error.ts'
import type { InputValues } from './input-spec.ts'
import { isMissing } from './rules.ts'
import { type Entries, isEntries, Reference } from './yaml.ts'

/** What the functions of blocks read. */
interface InterpolationContext {
  readonly inputs: InputValues
  /** Returns the value of a variable; undefined if it is unknown. */
  readonly getVariable: (name: string) => string | undefined
  readonly isMasked: (name: string) => boolean
  readonly budget: ConfigBudget
}

/** Characters of a text with blocks, and of one block: as in GitLab. */
const maxTextLength = 1_048_576
const maxBlockLength = 1_024

/** Functions of one block: as in GitLab. */
const maxFunctions = 3

const blockPattern = /\$\[\[(.*?)\]\]/gs

const formatValue = (value: unknown): string => {
  if (isMissing(value)) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const failed = (name: string, problem: string) => new CiConfigError(`error in \`${name}\` function: ${problem}`)

/** Replaces known variables, but not those in their values. */
const expandVariables = (text: string, { getVariable, isMasked }: InterpolationContext): string =>
  text.replace(/\$(?:\{(\w+)\}|(\w+))/g, (written, braced, plain) => {
    const name = String(braced ?? plain)
    if (isMasked(name)) throw failed('expand_vars', 'masked variables cannot be expanded')
    return getVariable(name) ?? written
  })

/** A backslash before each character that a shell could interpret, and quotes around new lines. */
const escapeForShell = (text: string): string =>
  text === '' ? "''" : text.replace(/[^\w\-.,:+/@\n]/gu, '\\$&').replaceAll('\n', "'\n'")

const applyFunction = (call: string, value: unknown, context: InterpolationContext): string => {
  const [, offset, length] = /^truncate\(\s*(\d+)\s*,\s*(\d+)\s*\)$/.exec(call) ?? []
  const name = offset === undefined ? call : 'truncate'
  if (!['expand_vars', 'posix_escape', 'truncate'].includes(name))
    throw new CiConfigError(
      `no function matching \`${call.slice(0, 100)}\`: check that the function name, arguments, and types are correct`,
    )
  if (call === 'truncate') throw failed(call, 'it needs an offset and a length')
  if (typeof value !== 'string') throw failed(name, 'the input is not a string')
  if (name === 'expand_vars') return expandVariables(value, context)
  return name === 'posix_escape' ? escapeForShell(value) : value.slice(Number(offset), Number(offset) + Number(length))
}

const itemOf = (value: unknown, index: number): unknown => (Array.isArray(value) ? value[index] : undefined)

const entryOf = (value: unknown, key: string): unknown =>
  isEntries(value) && Object.hasOwn(value, key) ? value[key] : undefined

const unknownBlock = (access: string, reason: string) =>
  new CiConfigError(`unknown interpolation provided: \`${access.slice(0, 100)}\`: ${reason}`)

/** The value of an input, or of a part of it: `inputs.hosts[0].name`. */
const findInput = (access: string, { inputs }: InterpolationContext): unknown => {
  const [, name = '', rest = ''] = /^inputs\.([\w-]+)((?:\.[\w-]+|\[\d+\])*)$/.exec(access) ?? []
  if (!inputs.has(name)) throw unknownBlock(access, 'it is not an input of the file')
  return [...rest.matchAll(/\.([\w-]+)|\[(\d+)\]/g)].reduce((value, [, key, index]) => {
    const part = key === undefined ? itemOf(value, Number(index)) : entryOf(value, key)
    if (part === undefined) throw unknownBlock(access, 'it has no such value')
    return part
  }, inputs.get(name))
}

const evaluate = (block: string, context: InterpolationContext): unknown => {
  if (block.length > maxBlockLength) throw new CiConfigError('interpolation block is too long')
  const [access = '', ...calls] = block.split('|').map((part) => part.trim())
  if (calls.length > maxFunctions) throw new CiConfigError('too many functions in interpolation block')
  return calls.reduce((value, call) => applyFunction(call, value, context), findInput(access, context))
}

const interpolateText = (text: string, context: InterpolationContext): string => {
  if (!text.includes('$[[')) return text
  if (text.length > maxTextLength) throw new CiConfigError('config content is too long')
  const result = text.replace(blockPattern, (_, block) => formatValue(evaluate(block, context)))
  context.budget.spend(0, result.length)
  return result
}

const interpolateValue = (value: unknown, context: InterpolationContext): unknown => {
  if (typeof value === 'string') {
    const [block] = [...value.matchAll(blockPattern)]
    return block && block[0] === value ? evaluate(block[1] ?? '', context) : interpolateText(value, context)
  }
  if (value instanceof Reference) return new Reference(value.path.map((part) => interpolateText(part, context)))
  if (Array.isArray(value)) return value.map((item) => interpolateValue(item, context))
  return isEntries(value) ? interpolate(value, context) : value
}

/**
 * Replaces `$[[ inputs.name ]]` in the keys and values of a file. A block that is a whole value becomes a value of the type of the
 * input, others become part of the text.
 *
 * @throws CiConfigError for an unknown input or function
 */
export const interpolate = (content: Entries, context: InterpolationContext): Entries => {
  const entries = Object.entries(content)
  context.budget.spend(entries.length)
  // Object.fromEntries defines own properties, also `__proto__`.
  return Object.fromEntries(
    entries.map(([key, value]) => [interpolateText(key, context), interpolateValue(value, context)]),
  )
}
