import * as v from 'valibot'
import {
  getPageWindow,
  invalidCursor,
  type KeysetInput,
  keysetEntries,
  type Page,
  paginateArray,
} from '../../../kernel/paging.ts'
import type { GitReference, Repository } from '../../../ports/git.ts'
import { defined } from '../../../shared/defined.ts'
import { type OpenedRepository, readCommit } from './opened-repository.ts'
import type { RepositoryCommit } from './repository.ts'

/** The input of lists of branches and tags. */
export const referenceFilters = {
  ...keysetEntries,
  /** Only names that contain this text, case-sensitive; `^text` for names that start with it, `text$` for those that end with it. */
  search: v.optional(v.string()),
}

/** `^v1` matches the start of a name, `-rc$` its end, other text any part. */
const matchesSearch = (name: string, search: string): boolean => {
  const text = search.replace(/^\^/, '').replace(/\$$/, '')
  if (search.startsWith('^') && search.endsWith('$')) return name === text
  if (search.startsWith('^')) return name.startsWith(text)
  return search.endsWith('$') ? name.endsWith(text) : name.includes(text)
}

interface ReferenceFilter extends KeysetInput {
  readonly search?: string | undefined
  readonly matches?: (name: string) => boolean
}

/** A page after the reference with the name `cursor`, in the order of the list. */
const pageAfter = (references: readonly GitReference[], { cursor, ...paging }: KeysetInput): Page<GitReference> => {
  const { page, perPage, limit } = getPageWindow(paging)
  const start = cursor === undefined ? 0 : references.findIndex(({ name }) => name === cursor) + 1
  if (cursor !== undefined && start === 0) throw invalidCursor()
  const items = references.slice(start, start + limit)
  const hasNext = start + limit < references.length
  const nextCursor = hasNext ? items.at(-1)?.name : undefined
  return { items, page, perPage, total: undefined, hasNext, ...(nextCursor !== undefined && { nextCursor }) }
}

/** A page of branches or tags, each with its commit. */
export const pageReferences = async (
  opened: OpenedRepository | undefined,
  list: (repository: Repository) => Promise<readonly GitReference[]>,
  { search, matches = () => true, ...paging }: ReferenceFilter,
): Promise<Page<{ name: string; commit: RepositoryCommit }>> => {
  const all = opened === undefined ? [] : await list(opened.repository)
  const matching = all.filter(({ name }) => (search === undefined || matchesSearch(name, search)) && matches(name))
  const found = paging.pagination === 'keyset' ? pageAfter(matching, paging) : paginateArray(matching, paging)
  const items = found.items.map(async ({ name, commit }) => ({
    name,
    commit: await readCommit(defined(opened), commit),
  }))
  return { ...found, items: await Promise.all(items) }
}

/** Sorts by the time of the commits, the oldest first. */
export const sortByTime = async (
  repository: Repository,
  references: readonly GitReference[],
): Promise<GitReference[]> => {
  const timed = await Promise.all(
    references.map(async (reference) => {
      const commit = await repository.commit(reference.commit)
      return { reference, time: Date.parse(commit?.committedAt ?? '') }
    }),
  )
  return timed.sort((a, b) => a.time - b.time).map(({ reference }) => reference)
}
