import * as v from 'valibot'
import { allOrNone, IdOrName } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { type Page, paginate, pagingEntries } from '../../../kernel/paging.ts'
import { defined } from '../../../shared/defined.ts'
import { userSummaries } from '../../accounts/users/queries.ts'
import { locateChangedLine } from '../discussions/verify-position.ts'
import { type CommitComment, lineTypes } from './comment.ts'
import { selectComments } from './comment-rows.ts'
import { CommentText, withCommit } from './commit.ts'
import { writeComment } from './mutations.ts'
import { commit } from './subject.ts'

/** Comments on commits and their lines, without the threads of `discussions`. */
export const commitComments = {
  /** Lists comments on a commit, oldest first, including those of discussions. */
  list: query({
    on: commit,
    can: 'note.list',
    input: pagingEntries,
    run: (ctx, paging, subject) =>
      withCommit(ctx, subject, subject.sha, (commit, { read }) =>
        read(async (later): Promise<Page<CommitComment>> => {
          const rows = selectComments(later, commit)
            .orderBy('id')
            .select(['note', 'path', 'line', 'lineType', 'authorId', 'createdAt'])
          const page = await paginate(rows, paging, (row) => row)
          const authors = await userSummaries(
            later,
            page.items.map(({ authorId }) => authorId),
          )
          const items = page.items.map(({ authorId, ...comment }) => ({
            ...comment,
            author: defined(authors.get(authorId)),
          }))
          return { ...page, items }
        }),
      ),
  }),

  /**
   * Writes a comment on a commit, or on a line that it has added or removed. Sends no notifications.
   *
   * @throws PlatformError `invalid` for a line that the commit has not changed
   */
  create: command({
    on: commit,
    can: 'note.create',
    serializes: 'project',
    input: {
      /** Text in Markdown, 1 to 1,000,000 characters. */
      note: CommentText,
      /** The file that the comment refers to; requires `line` and `lineType`. Default: the whole commit. */
      path: v.optional(v.pipe(v.string(), v.nonEmpty(), v.maxLength(4_096))),
      /** Number of the line in the file, from 1. */
      line: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(1))),
      /** Whether `line` counts the lines after (`new`) or before (`old`) the commit. */
      lineType: v.optional(v.picklist(lineTypes)),
      /** Id or username of the author; for the host application only. Default: the current user. */
      author: v.optional(IdOrName),
    },
    rules: [allOrNone('path', 'line', 'lineType')],
    run: (ctx, { author, note, path = null, line = null, lineType = null }, subject) =>
      withCommit(ctx, subject, subject.sha, async (commit, { write }, repository) => {
        const position =
          path !== null && line !== null && lineType !== null
            ? await locateChangedLine(repository, commit.sha, { path, line, lineType })
            : null
        const place = position ? ({ position, discussion: 'new' } as const) : {}
        return write(async (later): Promise<CommitComment> => {
          const written = await writeComment(later, commit, { author, note, path, line, lineType, ...place })
          return { note, path, line, lineType, createdAt: written.note.createdAt, author: written.note.author }
        })
      }),
  }),
}
