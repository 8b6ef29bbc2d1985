import { inspect } from 'node:util'
import { suggestName } from '../shared/similar-name.ts'
import type { Identity } from './actor.ts'
import { signalNames } from './signal-names.ts'
import type { Store } from './store.ts'

/** Checks of arguments that TypeScript rejects, for callers in plain JavaScript. All errors are TypeErrors. */

/** The names of all options of an interface: `optionNames<Options>({ port: true })` is an error if one is missing. */
export const optionNames = <O extends object>(names: { readonly [N in keyof O]-?: true }): readonly string[] =>
  Object.keys(names)

/**
 * Checks the names of options.
 *
 * @param owner the function that has the options: `createPlatform`
 * @throws TypeError for an unknown name, with a suggestion
 */
export const assertOptions = (owner: string, options: object, known: readonly string[]): void => {
  if (typeof options !== 'object' || options === null) throw new TypeError(`The options of ${owner} must be an object`)
  for (const name of Object.keys(options)) {
    if (!known.includes(name)) throw new TypeError(`${owner} has no option '${name}'. ${suggestName(name, known)}`)
  }
}

/**
 * Checks an option with a few values; undefined is its default.
 *
 * @throws TypeError that lists the values
 */
export const assertChoice = (name: string, value: unknown, choices: readonly string[]): void => {
  if (value === undefined || choices.some((choice) => choice === value)) return
  throw new TypeError(`${name} must be ${choices.map((choice) => `'${choice}'`).join(' or ')}, not ${inspect(value)}`)
}

/** @param call the call that requires a function: `atomic(…)` */
export const assertFunction = (call: string, value: unknown): void => {
  if (typeof value !== 'function') throw new TypeError(`${call} requires a function`)
}

export const assertStore = (store: Store): void => {
  if (typeof (store as Partial<Store> | null)?.read === 'function') return
  const form = typeof store === 'string' ? `createPlatform(sqlite('${store}'))` : "createPlatform(sqlite('forge.db'))"
  throw new TypeError(`createPlatform requires a store: ${form} or createPlatform(postgres(url))`)
}

const identityForms =
  '{ user }, { token }, { provider, externalUid }, { sshKey }, { scim }, { service }, { system } or null'

export const assertIdentity = (identity: Identity): void => {
  if (identity === null) return
  if (typeof identity !== 'object') {
    const form = typeof identity === 'string' ? `{ user: '${identity}' }, or { token } for a token` : identityForms
    throw new TypeError(`An identity is an object: ${form}`)
  }
  if ('user' in identity || 'token' in identity) return
  if ('system' in identity) {
    if (identity.system) return
    throw new TypeError("The identity { system } requires the reason of the call: { system: 'import' }")
  }
  if ('provider' in identity || 'sshKey' in identity || 'scim' in identity || 'service' in identity) return
  throw new TypeError(`Unknown identity { ${Object.keys(identity).join(', ')} }: use ${identityForms}`)
}

/** Issues and some others are opened, not created. Without this, `issue.updated` would be the most similar name. */
const toOpened = (name: string) => {
  const opened = name.replace(/\.created?$/, '.opened')
  return (signalNames as readonly string[]).includes(opened) ? opened : name
}

export const assertSignal = (name: string): void => {
  if (!(signalNames as readonly string[]).includes(name))
    throw new TypeError(`Unknown domain event '${name}'. ${suggestName(toOpened(name), signalNames)}`)
}
