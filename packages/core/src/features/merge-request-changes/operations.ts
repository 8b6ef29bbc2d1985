import * as v from 'valibot'
import { readableMergeRequests } from '../../access/predicates.ts'
import { project } from '../../access/subjects.ts'
import type { Subjects } from '../../contract/subjects.ts'
import { containsText } from '../../db/functions.ts'
import type { Context } from '../../kernel/context.ts'
import { afterTransaction } from '../../kernel/deferred.ts'
import { notFound } from '../../kernel/errors.ts'
import { Id } from '../../kernel/inputs.ts'
import { query } from '../../kernel/operation.ts'
import { type Page, type PagingInput, paginate, paginateArray, pagingEntries } from '../../kernel/paging.ts'
import type { Issue, IssueRecord } from '../issues/issue.ts'
import { completeIssues } from '../issues/queries.ts'
import { issue } from '../issues/subject.ts'
import type { MergeRequest, MergeRequestDetails, MergeRequestRecord } from '../merge-requests/merge-request.ts'
import { completeMergeRequests, mergeRequestColumns } from '../merge-requests/queries.ts'
import { mergeRequest } from '../merge-requests/subject.ts'
import { openRepository, resolveRevision } from '../repository/opened-repository.ts'
import type { RepositoryCommit, RepositoryDiff } from '../repository/repository.ts'
import { findIssuesClosedBy, findReadableIssues } from './closed-issues.ts'
import { findClosedIssues, findMentionedIssues, type IssueReference, mentionsIssue } from './closing-pattern.ts'
import { countDivergedCommits, readDetails } from './details.ts'
import { readHead } from './head.ts'
import { versionsOf } from './queries.ts'
import { formatRawDiffs } from './raw-diffs.ts'
import { compareVersion, readContent, refresh, refreshVersion, requireFound } from './refresh.ts'
import { prepareHead } from './source-branch.ts'
import type { MergeRequestVersion, MergeRequestVersionDetails, MergeRequestWithChanges } from './version.ts'

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

/** The issues that a merge request refers to and that the caller can read, in order of reference. */
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

/** Commits and diffs of merge requests, read from the repository of their project. */
export const mergeRequestChanges = {
  /** Gets a merge request. Stores a new version and compares the branches if they have changed. */
  get: query({
    on: mergeRequest,
    can: 'mergeRequest.read',
    input: {
      /** Whether to count the commits of the target branch that the source branch does not contain. */
      includeDivergedCommitsCount: v.optional(v.boolean(), false),
    },
    async run(ctx, { includeDivergedCommitsCount }, subject) {
      const head = await readHead(ctx, subject)
      if (head.opened === undefined) return readDetails(ctx, subject)
      return afterTransaction(async (runner): Promise<MergeRequestDetails> => {
        await refresh(runner, head)
        const details = await runner.read((later) => readDetails(later, subject))
        if (!includeDivergedCommitsCount) return details
        const divergedCommitsCount = await countDivergedCommits(await prepareHead(runner, head))
        return { ...details, divergedCommitsCount }
      })
    },
  }),

  /** Lists commits of a merge request, newest first; empty if a branch is missing. */
  listCommits: query({
    on: mergeRequest,
    can: 'mergeRequest.read',
    input: pagingEntries,
    async run(ctx, paging, subject) {
      const head = await readHead(ctx, subject)
      return afterTransaction(async (runner): Promise<Page<RepositoryCommit>> => {
        const content = await readContent(runner, head)
        return paginateArray([...(content?.commits ?? [])].reverse(), paging)
      })
    },
  }),

  /** Lists diffs of a merge request, one per changed file; empty if a branch is missing. */
  listDiffs: query({
    on: mergeRequest,
    can: 'mergeRequest.read',
    input: pagingEntries,
    async run(ctx, paging, subject) {
      const head = await readHead(ctx, subject)
      return afterTransaction(async (runner): Promise<Page<RepositoryDiff>> => {
        return paginateArray((await readContent(runner, head))?.diffs ?? [], paging)
      })
    },
  }),

  /** Gets all diffs of a merge request as one text in the format of `git diff`; empty if a branch is missing. */
  getRawDiffs: query({
    on: mergeRequest,
    can: 'mergeRequest.read',
    async run(ctx, _input, subject) {
      const head = await readHead(ctx, subject)
      return afterTransaction(async (runner): Promise<string> => {
        return formatRawDiffs((await readContent(runner, head))?.diffs ?? [])
      })
    },
  }),

  /** Gets a merge request with all its diffs. */
  getChanges: query({
    on: mergeRequest,
    can: 'mergeRequest.read',
    async run(ctx, _input, subject) {
      const head = await readHead(ctx, subject)
      return afterTransaction(async (runner): Promise<MergeRequestWithChanges> => {
        const content = await readContent(runner, head)
        return {
          ...(await runner.read((later) => readDetails(later, subject))),
          changes: content?.diffs ?? [],
          overflow: content?.compareTimeout ?? false,
        }
      })
    },
  }),

  /** Lists stored versions of a merge request, newest first. Reading a merge request stores its current version. */
  listVersions: query({
    on: mergeRequest,
    can: 'mergeRequest.read',
    input: pagingEntries,
    async run(ctx, paging, subject) {
      const head = await readHead(ctx, subject)
      return afterTransaction(async (runner): Promise<Page<MergeRequestVersion>> => {
        await refreshVersion(runner, await prepareHead(runner, head))
        return runner.read((later) =>
          paginate(versionsOf(later, subject.mergeRequest.id), paging, (row): MergeRequestVersion => row),
        )
      })
    },
  }),

  /** Gets a version with its commits and diffs. Fails with `not_found` if the project has no repository. */
  getVersion: query({
    on: mergeRequest,
    can: 'mergeRequest.read',
    input: {
      /** Id of a version of this merge request, from `versions`. */
      version: Id,
    },
    async run(ctx, { version: id }, subject) {
      const { opened } = await readHead(ctx, subject)
      const version = await versionsOf(ctx, subject.mergeRequest.id)
        .where('mergeRequestVersion.id', '=', id)
        .executeTakeFirst()
      return afterTransaction(async (): Promise<MergeRequestVersionDetails> => {
        const { commits, diffs } = await compareVersion(requireFound(opened), requireFound(version))
        return { ...requireFound(version), commits: [...commits].reverse(), diffs }
      })
    },
  }),

  /**
   * Lists issues that a merge request closes according to its title, description and commit messages, if the caller can read
   * them.
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
   * mention, if the caller can read them. At most 100.
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
   * Lists merge requests with a stored version that contains a commit, newest first. Fails with `not_found` for an unknown
   * commit.
   */
  ofCommit: query({
    on: project,
    can: 'mergeRequest.list',
    input: {
      ...pagingEntries,
      /** A commit SHA (hexadecimal, may be abbreviated), a branch or a tag of the project; at most 1,024 characters. */
      sha: v.pipe(v.string(), v.maxLength(1_024)),
      /** `opened`, `closed` without a merge, `merged`, `locked` (none), or `all` (default). */
      state: v.optional(v.picklist(['opened', 'closed', 'merged', 'locked', 'all']), 'all'),
    },
    async run(ctx, { sha, state, ...paging }, subject) {
      const opened = await openRepository(ctx, subject)
      return afterTransaction(async ({ read }): Promise<Page<MergeRequest>> => {
        const commit = sha === '' ? undefined : await resolveRevision(opened, sha)
        if (commit === undefined) throw notFound('Commit')
        return read(async (later) => {
          const rows = selectReadableMergeRequests(later)
            .innerJoin('mergeRequestCommit', 'mergeRequestCommit.mergeRequestId', 'mergeRequest.id')
            .where('mergeRequest.projectId', '=', subject.project.id)
            .where('mergeRequestCommit.sha', '=', commit)
            .where((eb) => {
              if (state === 'all') return eb.lit(true)
              return state === 'locked' ? eb.lit(false) : eb('mergeRequest.state', '=', state)
            })
            .orderBy('mergeRequest.id', 'desc')
          const page = await paginate(rows, paging, (row): MergeRequestRecord => row)
          return { ...page, items: await completeMergeRequests(later, page.items) }
        })
      })
    },
  }),

  /**
   * Lists merge requests of the same project that mention an issue, oldest first. Only the 1,000 newest candidates are examined.
   */
  relatedToIssue: query({
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
  closingIssue: query({
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
