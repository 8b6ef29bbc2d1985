import { PlatformError } from '@forgelet/core'

/** The name of a type in global ids, where it differs from that in the schema. */
const idNames: Readonly<Record<string, string>> = {
  UserCore: 'User',
  CurrentUser: 'User',
  Label: 'ProjectLabel',
  Pipeline: 'Ci::Pipeline',
  CiJob: 'Ci::Build',
  WorkItemType: 'WorkItems::Type',
}

/** `gid://gitlab/Project/7` */
export const formatGlobalId = (type: string, id: unknown): string => `gid://gitlab/${idNames[type] ?? type}/${id}`

const quote = (text: unknown) => `"${typeof text === 'string' ? text.slice(0, 100) : typeof text}"`

/**
 * The kind and the id of a global id.
 *
 * @throws PlatformError `invalid_input` for other values
 */
export const parseGlobalId = (text: unknown): { readonly kind: string; readonly id: string } => {
  const [, kind, id] = (typeof text === 'string' && /^gid:\/\/gitlab\/([A-Za-z:]+)\/([0-9a-f]{1,40})$/.exec(text)) || []
  if (kind === undefined || id === undefined)
    throw new PlatformError('invalid_input', `${quote(text)} is not a global id`)
  return { kind, id }
}

/**
 * The number of a global id of one of these kinds.
 *
 * @throws PlatformError `invalid_input` for the id of another kind
 */
export const parseIdOf = (kinds: string | readonly string[], text: unknown): number => {
  const { kind, id } = parseGlobalId(text)
  const isExpected = [kinds].flat().includes(kind)
  if (!isExpected || !/^[0-9]{1,15}$/.test(id))
    throw new PlatformError('invalid_input', `${quote(text)} is not the id of a ${[kinds].flat()[0]}`)
  return Number(id)
}

const toList = (value: unknown) => (Array.isArray(value) ? value : undefined)

/** The numbers of several global ids, or undefined without any list. */
export const parseIdsOf = (kinds: string | readonly string[], texts: unknown): number[] | undefined =>
  toList(texts)?.map((text) => parseIdOf(kinds, text))

/** Labels of projects and of groups. Some clients send the number only. */
export const parseLabelIds = (texts: unknown): number[] | undefined =>
  toList(texts)?.map((text) =>
    typeof text === 'string' && /^[0-9]{1,15}$/.test(text)
      ? Number(text)
      : parseIdOf(['Label', 'ProjectLabel', 'GroupLabel'], text),
  )
