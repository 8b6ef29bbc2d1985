import { isPathSegment } from '../../shared/text.ts'
import type { Reference, ReferenceKind } from './reference.ts'

/** A reference that was written as a full URL. */
export interface UrlReference {
  readonly reference: Reference
  /** The fragment with its `#`, or an empty string. */
  readonly anchor: string
  /** The short form: `group/project#1`. */
  readonly short: string
}

const inProjects: ReadonlyMap<string, { readonly kind: ReferenceKind; readonly sign: string }> = new Map([
  ['issues', { kind: 'issue', sign: '#' }],
  ['merge_requests', { kind: 'merge_request', sign: '!' }],
  ['milestones', { kind: 'milestone', sign: '%' }],
  ['snippets', { kind: 'snippet', sign: '$' }],
  ['commit', { kind: 'commit', sign: '@' }],
])
const inGroups: typeof inProjects = new Map([
  ['epics', { kind: 'epic', sign: '&' }],
  ['milestones', { kind: 'milestone', sign: '%' }],
])

const shownDigits = 8

const isValue = (kind: ReferenceKind, value: string) =>
  kind === 'commit' ? /^[0-9a-fA-F]{7,40}$/.test(value) : /^\d{1,10}$/.test(value)

const objectOf = (segments: readonly string[]): Omit<UrlReference, 'anchor'> | undefined => {
  const isOfGroup = segments[0] === 'groups'
  if (isOfGroup && segments.length > 1 && segments.slice(1).every(isPathSegment)) {
    const value = segments.slice(1).join('/')
    return { reference: { kind: 'user', value }, short: `@${value}` }
  }
  if (segments.length === 1) {
    const value = segments[0] ?? ''
    return isPathSegment(value) ? { reference: { kind: 'user', value }, short: `@${value}` } : undefined
  }
  const known = (isOfGroup ? inGroups : inProjects).get(segments.at(-2) ?? '')
  const written = segments.at(-1) ?? ''
  if (known === undefined || !isValue(known.kind, written)) return undefined
  const { kind, sign } = known
  const value = kind === 'commit' ? written.toLowerCase() : written
  const end = segments.at(-3) === '-' ? -3 : -2
  const parents = segments.slice(isOfGroup ? 1 : 0, end)
  const short = `${sign}${kind === 'commit' ? value.slice(0, shownDigits) : value}`
  if (parents.length === 0) return kind === 'snippet' ? { reference: { kind, value }, short } : undefined
  if (!parents.every(isPathSegment)) return undefined
  const path = parents.join('/')
  return { reference: isOfGroup ? { kind, group: path, value } : { kind, project: path, value }, short: path + short }
}

/**
 * The reference for the URL of an object below `baseUrl`; undefined for other URLs and for URLs with a query. The older
 * form without `/-/` is accepted.
 */
export const referenceFromUrl = (url: string, baseUrl: string): UrlReference | undefined => {
  const base = baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`
  if (!url.startsWith(base)) return undefined
  const hash = url.indexOf('#')
  const path = url.slice(base.length, hash < 0 ? undefined : hash)
  if (path.length > 1_000) return undefined
  const found = objectOf(path.replace(/\/$/, '').split('/'))
  return found && { ...found, anchor: hash < 0 ? '' : url.slice(hash) }
}
