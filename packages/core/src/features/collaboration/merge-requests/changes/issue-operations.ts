import { readableMergeRequests } from '../../../../access/predicates.ts'
import type { Subjects } from '../../../../contract/subjects.ts'
import { containsText } from '../../../../db/functions.ts'
import type { Context } from '../../../../kernel/context.ts'
import { afterTransaction } from '../../../../kernel/deferred.ts'
import { query } from '../../../../kernel/operation.ts'
import { type Page, type PagingInput, paginateArray, pagingEntries } from '../../../../kernel/paging.ts'
import type { Issue, IssueRecord } from '../../../planning/issues/issue.ts'
import { completeIssues } from '../../../planning/issues/queries.ts'
import { issue } from '../../../planning/issues/subject.ts'
import type { MergeRequest, MergeRequestRecord } from '../merge-request.ts'
import { completeMergeRequests, mergeRequestColumns } from '../queries.ts'
import { mergeRequest } from '../subject.ts'
import { findIssuesClosedBy, findReadableIssues } from './closed-issues.ts'
import { findClosedIssues, findMentionedIssues, type IssueReference, mentionsIssue } from './closing-pattern.ts'
import { readHead } from './head.ts'
import { readContent } from './refresh.ts'

/** At most this many merge requests, the newest ones, are checked for mentions of an issue. */
const maxMentions = 1_000

/** At most this many comments, the newest ones with a `#`, are searched for mentions. */
const maxComments = 100

const selectReadableMergeRequests = (ctx: Context) =>
  ctx.db
    .selectFrom('mergeRequest')
    .innerJoin('project', 'project.id', 'mergeRequest.projectId')
    .where(readableMergeRequests(ctx))
    .select(mergeRequestColumns)

/** Merge requests of the issue's project with a matching title or description, oldest first. */
const listMentioning = async (
  ctx: Context,
  { project, issue }: Subjects['issue'],
  paging: PagingInput,
  matches: (text: string) => boolean,
): Promise<Page<MergeRequest>> => {
  const reference = `#${issue.iid}`
  const rows = await selectReadableMergeRequests(ctx)
    .where('mergeRequest.projectId', '=', project.id)
    .where((eb) =>
      eb.or([
        containsText(ctx.dialect, 'mergeRequest.title', reference),
        containsText(ctx.dialect, 'mergeRequest.description', reference),
      ]),
    )
    .orderBy('mergeRequest.id', 'desc')
    .limit(maxMentions)
    .execute()
  const matching = rows.filter(({ title, description }) => matches(`${title}\n${description ?? ''}`)).reverse()
  const page = paginateArray<MergeRequestRecord>(matching, paging)
  return { ...page, items: await completeMergeRequests(ctx, page.items) }
}

/** The comments of a merge request that can mention an issue and that everyone who sees it can read, newest first. */
const selectCommentTexts = ({ db, dialect }: Context, mergeRequestId: number) =>
  db
    .selectFrom('note')
    .where('mergeRequestId', '=', mergeRequestId)
    .where('system', '=', false)
    .where('internal', '=', false)
    .where(containsText(dialect, 'note.body', '#'))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(maxComments)
    .select('body')

/** The issues that a merge request refers to and that the current user can read, in order of reference. */
const listReferencedIssues = async (
  ctx: Context,
  subject: Subjects['mergeRequest'],
  paging: PagingInput,
  findReferences: (commitMessages: readonly string[]) => readonly IssueReference[],
) => {
  const head = await readHead(ctx, subject)
  return afterTransaction(async (runner): Promise<Page<Issue>> => {
    const messages = (await readContent(runner, head))?.commits.map(({ message }) => message) ?? []
    return runner.read(async (later) => {
      const issues = await findReadableIssues(later, subject.project.fullPath, findReferences(messages))
      const page = paginateArray<IssueRecord>(issues, paging)
      return { ...page, items: await completeIssues(later, page.items) }
    })
  })
}

/** The part of `mergeRequests` for the issues that merge requests mention and close. */
export const mergeRequestIssues = {
  /**
   * Lists issues that a merge request closes according to its title, description and commit messages, if the current user can
   * read them.
   */
  listClosedIssues: query({
    on: mergeRequest,
    can: 'mergeRequest.read',
    input: pagingEntries,
    run: (ctx, paging, subject) =>
      listReferencedIssues(ctx, subject, paging, (messages) => findIssuesClosedBy(subject.mergeRequest, messages)),
  }),

  /**
   * Lists the issues that the title, the description, the commit messages or one of the 100 newest comments of a merge request
   * mention, if the current user can read them. At most 100.
   */
  listRelatedIssues: query({
    on: mergeRequest,
    can: 'mergeRequest.read',
    input: pagingEntries,
    async run(ctx, paging, subject) {
      const { id, title, description } = subject.mergeRequest
      const comments = await selectCommentTexts(ctx, id).execute()
      const texts = [title, description ?? '', ...comments.map(({ body }) => body)]
      return listReferencedIssues(ctx, subject, paging, (messages) =>
        findMentionedIssues([...texts, ...messages].join('\n')),
      )
    },
  }),

  /**
   * Lists merge requests of the same project that mention an issue, oldest first. Only the 1,000 newest candidates are examined.
   */
  listRelated: query({
    on: issue,
    can: 'issue.read',
    input: pagingEntries,
    run: (ctx, paging, subject) =>
      listMentioning(ctx, subject, paging, (text) => mentionsIssue(text, subject.issue.iid)),
  }),

  /**
   * Lists merge requests of the same project that close an issue by title or description, oldest first. Only the 1,000 newest
   * candidates are examined.
   */
  listClosing: query({
    on: issue,
    can: 'issue.read',
    input: pagingEntries,
    run: (ctx, paging, subject) =>
      listMentioning(ctx, subject, paging, (text) =>
        findClosedIssues(text).some(
          ({ projectPath, iid }) =>
            iid === subject.issue.iid && (projectPath === undefined || projectPath === subject.project.fullPath),
        ),
      ),
  }),
}
