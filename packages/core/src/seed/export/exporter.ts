import { isPlatformError } from '../../kernel/errors.ts'
import type { Session } from '../../session.ts'
import { type List, type Paging, readAll } from '../pages.ts'
import type { Seed } from '../seed.ts'

type SeedProject = NonNullable<Seed['projects']>[number]

/** Options of `exportSeed`. */
export interface ExportOptions {
  /** Copies the repository of a project and returns how a seed refers to the copy. Default: repositories are omitted. */
  readonly readRepository?: (project: {
    readonly id: number
    readonly fullPath: string
  }) => Promise<SeedProject['repository']>
}

/** Reads the data of a platform for a seed. */
export interface Exporter extends ExportOptions {
  readonly host: Session
  /** The titles of epics, by the ids of their issues. Groups are exported before projects. */
  readonly epicTitles: Map<number, string>
  asUser(username: string): Session
  /** Reports data that the seed does not contain. Each text is reported once. */
  omit(text: string): void
}

const isPresent = (value: unknown) =>
  value !== undefined && value !== null && value !== '' && value !== false && !(Array.isArray(value) && !value.length)

type Present<T> = { -readonly [N in keyof T]?: NonNullable<T[N]> }

/** The fields with a value: omitted fields of a seed mean null, false, empty text and empty lists. */
export const present = <T extends object>(fields: T): Present<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => isPresent(value))) as Present<T>

/** The result of a query, or undefined if it fails with one of these codes. */
export const unless = async <T>(codes: readonly string[], query: Promise<T>): Promise<T | undefined> => {
  try {
    return await query
  } catch (error) {
    if (isPlatformError(error) && codes.includes(error.code)) return undefined
    throw error
  }
}

/** All items of a list of a project or a group; none if a disabled feature or the missing paid tier hides them. */
export const readShown = async <I extends Paging, T>(list: List<I, T>, input: NoInfer<I>): Promise<T[]> =>
  (await unless(['forbidden', 'not_found', 'not_licensed'], readAll(list, input))) ?? []

/** Items with the numbers that the seed would not give them: those after the number of a removed item. */
export const numbered = <T extends { readonly iid: number }>(
  items: readonly T[],
): readonly { readonly item: T; readonly number: { readonly iid?: number } }[] => {
  const sorted = items.toSorted((a, b) => a.iid - b.iid)
  return sorted.map((item, index) => {
    const isNext = item.iid === (sorted[index - 1]?.iid ?? 0) + 1
    return { item, number: isNext ? {} : { iid: item.iid } }
  })
}

/** The URL of a picture; null for an uploaded one, which a seed cannot contain. */
export const exportAvatarUrl = ({ omit }: Exporter, url: string | null): string | null => {
  if (!url?.startsWith('/uploads/')) return url
  omit('uploaded pictures of users, projects and groups')
  return null
}

/** Variables can contain secrets, which an export must not reveal. */
export async function omitVariables(
  { host, omit }: Exporter,
  parent: { project: number } | { group: number },
): Promise<void> {
  const items = await readShown(host.ciVariables.list, parent)
  if (items.length) omit('variables of pipelines, which can contain secrets')
}
