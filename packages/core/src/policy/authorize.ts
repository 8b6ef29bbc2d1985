import type { Subjects } from '../contract/subjects.ts'
import type { Actor } from '../kernel/actor.ts'
import { forbidden, PlatformError } from '../kernel/errors.ts'
import type { Operation } from '../kernel/operation.ts'
import { getSufficientScopes } from '../kernel/scopes.ts'
import { policy } from '../policy.ts'
import type { Rule } from './rule.ts'
import { signInService } from './rules.ts'
import { assertVisible } from './visible.ts'

const getRule = (kind: keyof Subjects, ability: string): Rule<unknown> =>
  (policy[kind] as unknown as Record<string, Rule<unknown>>)[ability] as Rule<unknown>

/** Whether the actor has an ability, for operations whose result depends on it. */
export const hasAbility = <K extends keyof Subjects>(
  actor: Actor,
  subject: Subjects[K] & { readonly kind: K },
  ability: keyof (typeof policy)[K] & string,
): boolean => getRule(subject.kind, ability).allows(actor, subject)

const authenticationRequired = () => new PlatformError('unauthenticated', 'Authentication required')

const isObject = (input: unknown): input is Readonly<Record<string, unknown>> =>
  typeof input === 'object' && input !== null

/** The kind of subject that an input selects, which need not be valid; undefined if it can select several. */
const findKind = ({ kindOf }: Operation, input: unknown) => kindOf?.(isObject(input) ? input : {})

/** Rejects anonymous callers before anything is loaded, unless a rule of the operation can allow them for this input. */
export const assertAuthenticated = (operation: Operation, input: unknown): void => {
  const kind = findKind(operation, input)
  const possible = kind === undefined ? operation.kinds : [kind]
  if (!possible.some((kind) => getRule(kind, operation.can).allowsAnonymous)) throw authenticationRequired()
}

/** Rejects tokens with scopes that do not permit the operation (`insufficient_scope`). */
export const assertTokenScope = (actor: Actor, operation: Operation, input: unknown): void => {
  if (actor.kind === 'scim' && !operation.kinds.includes('scimGroup')) {
    throw forbidden('SCIM tokens can only access the SCIM API')
  }
  // An adapter holds this identity for all requests: it must not be of use for anything else.
  if (actor.kind === 'service' && operation.kinds.some((kind) => getRule(kind, operation.can) !== signInService)) {
    throw forbidden('The sign-in service can only sign in users')
  }
  if (!('scopes' in actor) || actor.scopes === null) return
  const scopes: readonly string[] = actor.scopes
  if (scopes.includes('api')) return
  const kind = findKind(operation, input)
  const sufficient = getSufficientScopes(operation, kind === undefined ? [] : [kind])
  if (sufficient.some((scope) => scopes.includes(scope))) return
  const message = "The token's scopes do not permit this operation"
  throw new PlatformError('insufficient_scope', message, { scopes: sufficient })
}

/**
 * Rejects callers without an ability on a visible subject (`unauthenticated` for anonymous callers, `forbidden` for all
 * others). For operations that require a further ability for some inputs.
 */
export const assertAbility = <K extends keyof Subjects>(
  actor: Actor,
  subject: Subjects[K] & { readonly kind: K },
  ability: keyof (typeof policy)[K] & string,
): void => {
  const rule = getRule(subject.kind, ability)
  if (rule.allows(actor, subject)) return
  throw actor.kind === 'anonymous' ? authenticationRequired() : forbidden(`Only for ${rule.description}`)
}

/** Rejects users who cannot see the subject (`not_found`) or lack the ability of the operation on it. */
export const authorize = (actor: Actor, operation: Operation, subject: Subjects[keyof Subjects]): void => {
  assertVisible(actor, subject)
  assertAbility(actor, subject, operation.can as never)
}
