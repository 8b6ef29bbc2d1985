import { defined } from '@forgelet/core/operations'
/** Values as sent, by wire name: strings from queries and forms, any JSON value from JSON bodies. Without a prototype. */
export type Parameters = Record<string, unknown>

export const createParameters = (): Parameters => Object.create(null) as Parameters

const pairLimit = 1_000
const depthLimit = 5

/** The parameters cannot be read. The message is the text of the 400 reply. */
export class InvalidParametersError extends Error {}

/** `a[b][][c]` → `['a', 'b', '', 'c']`. A name with unbalanced brackets is a plain name. */
const parseNamePath = (name: string): string[] => {
  const open = name.indexOf('[')
  if (open <= 0 || !name.endsWith(']')) return [name]
  // One part more than allowed: a name of 10 MB can have millions.
  return [name.slice(0, open), ...name.slice(open + 1, -1).split('][', depthLimit)]
}

const getOrCreateObject = (parent: Parameters, key: string): Parameters => {
  const value = Object.hasOwn(parent, key) ? parent[key] : undefined
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value as Parameters
  const child = createParameters()
  parent[key] = child
  return child
}

const getOrCreateArray = (parent: Parameters, key: string): unknown[] => {
  const value = Object.hasOwn(parent, key) ? parent[key] : undefined
  if (Array.isArray(value)) return value
  const child: unknown[] = []
  parent[key] = child
  return child
}

/** In `a[][x]=1&a[][y]=2&a[][x]=3` a repeated key starts the next element. */
const getOrAppendElement = (items: unknown[], key: string): Parameters => {
  const last = items.at(-1)
  if (last !== null && typeof last === 'object' && !Array.isArray(last) && !Object.hasOwn(last, key)) {
    return last as Parameters
  }
  const element = createParameters()
  items.push(element)
  return element
}

/** A repeated plain name (`iids=1&iids=2`) becomes a list; a scalar parameter takes the last value. */
const setPlainParameter = (into: Parameters, name: string, value: unknown) => {
  if (!Object.hasOwn(into, name)) into[name] = value
  else {
    const previous = into[name]
    into[name] = previous instanceof RepeatedValue ? previous.append(value) : new RepeatedValue([previous, value])
  }
}

const setParameter = (into: Parameters, name: string, value: unknown) => {
  const path = parseNamePath(name)
  if (path.length === 1) return setPlainParameter(into, name, value)
  if (path.length > depthLimit) throw new InvalidParametersError('The parameters are nested too deeply')
  let parent = into
  for (let index = 0; index < path.length - 1; index++) {
    const key = defined(path[index])
    const next = defined(path[index + 1])
    if (next !== '') {
      parent = getOrCreateObject(parent, key)
      continue
    }
    const items = getOrCreateArray(parent, key)
    const inner = path[index + 2]
    if (inner === undefined) {
      items.push(value)
      return
    }
    parent = getOrAppendElement(items, inner)
    index++
  }
  parent[defined(path.at(-1))] = value
}

/** Values of a plain name that was sent several times. */
export class RepeatedValue {
  readonly values: readonly unknown[]
  constructor(values: readonly unknown[]) {
    this.values = values
  }
  append(value: unknown): RepeatedValue {
    return new RepeatedValue([...this.values, value])
  }
}

export const createTooManyError = () => new InvalidParametersError('Too many parameters')

/** Converts the name and value pairs of a form to parameters. */
export function foldPairs(pairs: Iterable<readonly [string, unknown]>): Parameters {
  const parameters = createParameters()
  let count = 0
  for (const [name, value] of pairs) {
    if (++count > pairLimit) throw createTooManyError()
    setParameter(parameters, name, value)
  }
  return parameters
}

/**
 * @param query without the question mark
 * @throws InvalidParametersError for invalid percent-encoding or UTF-8
 */
export function parseQuery(query: string): Parameters {
  const parameters = createParameters()
  let count = 0
  for (let start = 0; start < query.length; ) {
    const separator = query.indexOf('&', start)
    const pair = query.slice(start, separator < 0 ? undefined : separator)
    start += pair.length + 1
    if (++count > pairLimit) throw createTooManyError()
    if (pair === '') continue
    const equals = pair.indexOf('=')
    if (equals < 0) setParameter(parameters, decodeQueryText(pair), '')
    else setParameter(parameters, decodeQueryText(pair.slice(0, equals)), decodeQueryText(pair.slice(equals + 1)))
  }
  return parameters
}

/** Most names and values have none. */
const encodedCharacter = /[%+]/

const decodeQueryText = (text: string): string => {
  if (!encodedCharacter.test(text)) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw new InvalidParametersError('The query string is not valid percent-encoded UTF-8')
  }
}
