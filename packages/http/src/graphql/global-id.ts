import { PlatformError } from '@forgelet/core'

/** The name of a type in global ids, where it differs from that in the schema. */
const idNames: Readonly<Record<string, string>> = {
  UserCore: 'User',
  CurrentUser: 'User',
  Label: 'ProjectLabel',
}

/** `gid://gitlab/Project/7` */
export const formatGlobalId = (type: string, id: unknown): string => `gid://gitlab/${idNames[type] ?? type}/${id}`

/**
 * The kind and the id of a global id.
 *
 * @throws PlatformError `invalid_input` for other texts
 */
const parseGlobalId = (text: unknown): { readonly kind: string; readonly id: number } => {
  const [, kind, id] = /^gid:\/\/gitlab\/([A-Za-z:]+)\/([0-9]{1,15})$/.exec(String(text)) ?? []
  if (kind === undefined) throw new PlatformError('invalid_input', `"${String(text).slice(0, 100)}" is not a global id`)
  return { kind, id: Number(id) }
}

/** @throws PlatformError `invalid_input` for the id of another kind */
export const parseIdOf = (kind: string, text: unknown): number => {
  const parsed = parseGlobalId(text)
  if (parsed.kind !== kind)
    throw new PlatformError('invalid_input', `"${String(text).slice(0, 100)}" is not the id of a ${kind}`)
  return parsed.id
}
