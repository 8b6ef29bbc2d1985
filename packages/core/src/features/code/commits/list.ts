import * as v from 'valibot'
import type { Subjects } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { afterTransaction, type Deferred } from '../../../kernel/deferred.ts'
import { notFound } from '../../../kernel/errors.ts'
import { Instant, normalizeInstant } from '../../../kernel/inputs.ts'
import type { InputRule } from '../../../kernel/operation.ts'
import { getPageWindow, keysetEntries, type Page, paginateArray } from '../../../kernel/paging.ts'
import { formatCommitCursor, parseCommitCursor } from '../repository/commit-cursor.ts'
import { noTrailers } from '../repository/commit-trailers.ts'
import { type OpenedRepository, openRepository, resolveRevision } from '../repository/opened-repository.ts'
import type { CommitDetails } from './commit.ts'
import { readCommits } from './queries.ts'

export const listInput = {
  ...keysetEntries,
  /** A branch, tag or commit SHA, or a range such as `v1.0..main`. Default: the default branch. */
  refName: v.optional(v.pipe(v.string(), v.maxLength(1_024))),
  /** Only commits at or after this time, ISO 8601. */
  since: v.optional(Instant),
  /** Only commits at or before this time, ISO 8601. */
  until: v.optional(Instant),
  /** Only commits that change this file or directory. */
  path: v.optional(v.pipe(v.string(), v.maxLength(4_096))),
  /** Whether to include the commits that changed the file in `path` under earlier names. Default: false. */
  follow: v.optional(v.boolean(), false),
  /** Only commits whose author's name or e-mail address contains this text. */
  author: v.optional(v.pipe(v.string(), v.maxLength(255))),
  /** Whether to list the commits of all branches. Requires pages by number. Default: false. */
  all: v.optional(v.boolean(), false),
  /** Whether to add the numbers of changed lines. Default: false. */
  withStats: v.optional(v.boolean(), false),
  /** Whether to add the trailers of the messages. Default: false. */
  trailers: v.optional(v.boolean(), false),
  /** Whether to follow only the first parent of merges. Default: false. */
  firstParent: v.optional(v.boolean(), false),
  /** `topo`: parents never before all their children. `default`: by time. */
  order: v.optional(v.picklist(['default', 'topo']), 'default'),
}

type ListInput = v.InferOutput<v.ObjectSchema<typeof listInput, undefined>>

/** A cursor refers to one commit. */
export const noCursorForAll: InputRule<ListInput> = ({ pagination, all }) =>
  pagination === 'keyset' && all ? { fields: ['pagination'], message: 'cannot be keyset with all' } : undefined

interface CommitRange {
  readonly tip: string | undefined
  readonly exclude: readonly string[]
}

/** Names of branches and tags never contain two dots. */
const resolveRange = async (
  opened: OpenedRepository | undefined,
  refName: string | undefined,
): Promise<CommitRange | undefined> => {
  const [, from, to] = /^(.+?)\.\.([^.].*)$/s.exec(refName ?? '') ?? []
  if (from === undefined) return { tip: await resolveRevision(opened, refName), exclude: [] }
  const [base, tip] = await Promise.all([resolveRevision(opened, from), resolveRevision(opened, to)])
  return base === undefined ? undefined : { tip, exclude: [base] }
}

/** A page of the commits of a repository. */
export const listCommits = async (
  ctx: Context,
  { pagination, cursor, refName, since, until, all, ...input }: ListInput,
  subject: Subjects['project'],
): Promise<Deferred<Page<CommitDetails>>> => {
  const { page: _page, perPage: _perPage, withStats, trailers, ...filters } = input
  const opened = await openRepository(ctx, subject)
  const { page, perPage, offset: pageOffset } = getPageWindow(input)
  const position = cursor === undefined ? undefined : parseCommitCursor(cursor)
  return afterTransaction(async (): Promise<Page<CommitDetails>> => {
    const range = await resolveRange(opened, refName)
    const tip = position?.commit ?? range?.tip
    if (opened === undefined || range === undefined || (tip === undefined && !all)) {
      if (refName === undefined) return { ...paginateArray([], { page, perPage }), items: [] }
      throw notFound('Commit')
    }
    const offset = position?.offset ?? pageOffset
    const ids = await opened.repository.listCommits({
      ...filters,
      ...opened.abortable,
      tips: all || tip === undefined ? [] : [tip],
      exclude: all ? [] : range.exclude,
      since: since && normalizeInstant(since),
      until: until && normalizeInstant(until),
      offset,
      limit: perPage + 1,
    })
    const hasNext = ids.length > perPage
    const nextCursor =
      hasNext && pagination === 'keyset' && tip !== undefined
        ? formatCommitCursor({ commit: tip, offset: offset + perPage })
        : undefined
    const items = await readCommits(opened, subject.project.id, ids.slice(0, perPage), { withStats })
    const shown = trailers ? items : items.map((commit) => ({ ...commit, ...noTrailers() }))
    return { items: shown, page, perPage, total: undefined, hasNext, ...(nextCursor && { nextCursor }) }
  })
}
