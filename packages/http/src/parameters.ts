/** Values as they were sent, under their wire names: strings from queries and forms, anything from JSON. No prototype. */
export type Parameters = Record<string, unknown>

export const noParameters = (): Parameters => Object.create(null) as Parameters

const pairLimit = 1_000
const depthLimit = 5

/** Why parameters cannot be read; the caller answers 400 with this text. */
export class UnreadableParameters extends Error {}

/** `a[b][][c]` → `['a', 'b', '', 'c']`; a name with unbalanced brackets is a plain name. */
const pathOf = (name: string): string[] => {
  const open = name.indexOf('[')
  if (open <= 0 || !name.endsWith(']')) return [name]
  return [name.slice(0, open), ...name.slice(open + 1, -1).split('][')]
}

const hashAt = (holder: Parameters, key: string): Parameters => {
  const known = Object.hasOwn(holder, key) ? holder[key] : undefined
  if (known !== null && typeof known === 'object' && !Array.isArray(known)) return known as Parameters
  const made = noParameters()
  holder[key] = made
  return made
}

const arrayAt = (holder: Parameters, key: string): unknown[] => {
  const known = Object.hasOwn(holder, key) ? holder[key] : undefined
  if (Array.isArray(known)) return known
  const made: unknown[] = []
  holder[key] = made
  return made
}

/** In `a[][x]=1&a[][y]=2&a[][x]=3` a key that the last element has already starts the next one. */
const elementFor = (items: unknown[], key: string): Parameters => {
  const last = items.at(-1)
  if (last !== null && typeof last === 'object' && !Array.isArray(last) && !Object.hasOwn(last, key)) {
    return last as Parameters
  }
  const made = noParameters()
  items.push(made)
  return made
}

/** A bare name that repeats (`iids=1&iids=2`) becomes a list; a scalar parameter then takes its last value. */
const putPlain = (into: Parameters, name: string, value: unknown) => {
  if (!Object.hasOwn(into, name)) into[name] = value
  else {
    const known = into[name]
    into[name] = known instanceof Repeated ? known.and(value) : new Repeated([known, value])
  }
}

const put = (into: Parameters, name: string, value: unknown) => {
  const path = name.includes('[') ? pathOf(name) : undefined
  if (!path || path.length === 1) return putPlain(into, name, value)
  if (path.length > depthLimit) throw new UnreadableParameters('The parameters are nested too deeply')
  let holder = into
  for (let at = 0; at < path.length - 1; at++) {
    const key = path[at] as string
    const next = path[at + 1] as string
    if (next !== '') {
      holder = hashAt(holder, key)
      continue
    }
    const items = arrayAt(holder, key)
    const inner = path[at + 2]
    if (inner === undefined) {
      items.push(value)
      return
    }
    holder = elementFor(items, inner)
    at++
  }
  holder[path.at(-1) as string] = value
}

/** Values of a bare name that was sent several times. */
export class Repeated {
  readonly values: readonly unknown[]
  constructor(values: readonly unknown[]) {
    this.values = values
  }
  and(value: unknown): Repeated {
    return new Repeated([...this.values, value])
  }
}

const tooMany = () => new UnreadableParameters('Too many parameters')

/** Folds name and value pairs of a form into parameters. */
export function fold(pairs: Iterable<readonly [string, unknown]>, into: Parameters = noParameters()): Parameters {
  let count = 0
  for (const [name, value] of pairs) {
    if (++count > pairLimit) throw tooMany()
    put(into, name, value)
  }
  return into
}

/** A query string without its `?`. Broken percent signs and bytes that are no UTF-8 are refused. */
export function queryParameters(query: string): Parameters {
  const sent = noParameters()
  const read = /[%+]/.test(query) ? decode : asItIs
  let count = 0
  for (const pair of query.split('&')) {
    if (pair === '') continue
    if (++count > pairLimit) throw tooMany()
    const equals = pair.indexOf('=')
    if (equals < 0) put(sent, read(pair), '')
    else put(sent, read(pair.slice(0, equals)), read(pair.slice(equals + 1)))
  }
  return sent
}

const asItIs = (text: string): string => text

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw new UnreadableParameters('The query string is not valid percent-encoded UTF-8')
  }
}
