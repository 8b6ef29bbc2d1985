import { normalizeAttributeName, scimUserSchema } from '@forgelet/core/operations'
import type { Reply } from '../reply/reply.ts'
import { type Parameters, RepeatedValue } from '../request/parameters.ts'

/** Attributes that every representation has (RFC 7643, sections 3 and 3.1). */
const alwaysReturned = new Set(['schemas', 'id'])

/** Whether a resource has the attribute or sub-attribute with this lower-case name: `emails.value`. */
type IsReturned = (name: string) => boolean

/** Names separated by commas; undefined if the parameter is omitted or empty. */
const parseNames = (parameter: unknown): readonly string[] | undefined => {
  const values = parameter instanceof RepeatedValue ? parameter.values : [parameter].flat()
  const names = values
    .flatMap((text) => (typeof text === 'string' ? text.split(',') : []))
    .map((name) => normalizeAttributeName(name.trim()))
    .filter((name) => name !== '')
  return names.length ? names : undefined
}

/** An attribute includes its sub-attributes. */
const contains = (names: readonly string[], name: string) =>
  names.some((selected) => name === selected || name.startsWith(`${selected}.`))

/** A copy of the value that has only the returned attributes; undefined if none is left. */
const prune = (value: unknown, name: string, isReturned: IsReturned): unknown => {
  if (Array.isArray(value)) {
    const items = value.map((item) => prune(item, name, isReturned)).filter((item) => item !== undefined)
    return items.length ? items : undefined
  }
  if (typeof value !== 'object' || value === null) return isReturned(name) ? value : undefined
  const members = pruneMembers(value, `${name}.`, isReturned)
  return Object.keys(members).length ? members : undefined
}

const pruneMembers = (object: object, prefix: string, isReturned: IsReturned): object =>
  Object.fromEntries(
    Object.entries(object)
      .map(([key, value]) => [key, prune(value, prefix + key.toLowerCase(), isReturned)] as const)
      .filter(([, value]) => value !== undefined),
  )

interface ScimBody {
  readonly schemas?: readonly string[]
  readonly Resources?: readonly object[]
}

/**
 * Applies `attributes` and `excludedAttributes` to the users in a reply (RFC 7644, section 3.9). `id` and `schemas` are
 * always returned; unknown names have no effect.
 */
export const selectAttributes = (reply: Reply, parameters: Parameters): Reply => {
  const selected = parseNames(parameters.attributes)
  const excluded = parseNames(parameters.excludedAttributes)
  if (!selected && !excluded) return reply
  const isReturned: IsReturned = (name) =>
    alwaysReturned.has(name) || (!(selected && !contains(selected, name)) && !(excluded && contains(excluded, name)))
  const pruneUser = (user: object) =>
    (user as ScimBody).schemas?.includes(scimUserSchema) ? pruneMembers(user, '', isReturned) : user
  const { body } = reply
  if (typeof body !== 'object' || body === null) return reply
  const { Resources } = body as ScimBody
  return { ...reply, body: Resources ? { ...body, Resources: Resources.map(pruneUser) } : pruneUser(body) }
}
