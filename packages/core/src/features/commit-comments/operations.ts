import * as v from 'valibot'
import { project } from '../../access/subjects.ts'
import type { CompleteRow } from '../../db/complete-row.ts'
import { afterTransaction } from '../../kernel/deferred.ts'
import { allOrNone, IdOrName } from '../../kernel/inputs.ts'
import { command, query } from '../../kernel/operation.ts'
import { type Page, paginate, pagingEntries } from '../../kernel/paging.ts'
import { userSummaries } from '../accounts/queries.ts'
import type { UserSummary } from '../accounts/user.ts'
import { requireCommit } from '../commits/queries.ts'
import { resolveAuthorId } from '../issuables/author.ts'
import { openRepository } from '../repository/opened-repository.ts'
import { type CommitComment, lineTypes } from './comment.ts'

const shaInput = {
  /** A commit SHA (hexadecimal, may be abbreviated), a branch or a tag of the project; at most 1,024 characters. */
  sha: v.pipe(v.string(), v.maxLength(1_024)),
}

/** Comments on commits. */
export const commitComments = {
  /** Comments on a commit, oldest first. */
  list: query({
    on: project,
    can: 'code.read',
    input: { ...pagingEntries, ...shaInput },
    async run(ctx, { sha, ...paging }, subject) {
      const opened = await openRepository(ctx, subject)
      return afterTransaction(async ({ read }): Promise<Page<CommitComment>> => {
        const { id } = await requireCommit(opened, sha)
        return read(async (later) => {
          const rows = later.db
            .selectFrom('commitComment')
            .where('projectId', '=', subject.project.id)
            .where('sha', '=', id)
            .orderBy('id')
            .select(['note', 'path', 'line', 'lineType', 'authorId', 'createdAt'])
          const page = await paginate(rows, paging, (row) => row)
          const authors = await userSummaries(
            later,
            page.items.map(({ authorId }) => authorId),
          )
          const items = page.items.map(({ authorId, ...comment }) => ({
            ...comment,
            author: authors.get(authorId) as UserSummary,
          }))
          return { ...page, items }
        })
      })
    },
  }),

  /** Writes a comment on a commit, or on a line of one of its changes. Sends no notifications. */
  create: command({
    on: project,
    can: 'code.comment',
    serializes: 'project',
    input: {
      ...shaInput,
      /** Text in Markdown, 1 to 1,000,000 characters. */
      note: v.pipe(v.string(), v.nonEmpty(), v.maxLength(1_000_000)),
      /** The file that the comment refers to; requires `line` and `lineType`. Default: the whole commit. */
      path: v.optional(v.pipe(v.string(), v.nonEmpty(), v.maxLength(4_096))),
      /** Number of the line in the file, from 1. */
      line: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(1))),
      /** Whether `line` counts the lines after (`new`) or before (`old`) the commit. */
      lineType: v.optional(v.picklist(lineTypes)),
      /** Id or username of the author; for the host application only. Default: the calling user. */
      author: v.optional(IdOrName),
    },
    rules: [allOrNone('path', 'line', 'lineType')],
    async run(ctx, { sha, author, note, path = null, line = null, lineType = null }, subject) {
      const opened = await openRepository(ctx, subject)
      return afterTransaction(async ({ write }): Promise<CommitComment> => {
        const { id } = await requireCommit(opened, sha)
        return write(async (later) => {
          const authorId = await resolveAuthorId(later, author)
          const comment = { note, path, line, lineType, createdAt: later.now }
          await later.db
            .insertInto('commitComment')
            .values({
              projectId: subject.project.id,
              sha: id,
              authorId,
              ...comment,
            } satisfies CompleteRow<'commitComment'>)
            .execute()
          return { ...comment, author: (await userSummaries(later, [authorId])).get(authorId) as UserSummary }
        })
      })
    },
  }),
}
