import * as v from 'valibot'
import { readableIssues, readableMergeRequests } from '../../access/predicates.ts'
import { project } from '../../access/subjects.ts'
import { matches } from '../../db/functions.ts'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { Id } from '../../kernel/inputs.ts'
import { query } from '../../kernel/operation.ts'
import { outside } from '../../kernel/outside.ts'
import { type Page, type PagingInput, pageOf, paginate, paging } from '../../kernel/paging.ts'
import { likePattern } from '../../kernel/search-text.ts'
import type { Subjects } from '../../policy.ts'
import type { Issue, IssueRecord } from '../issues/issue.ts'
import { completeIssues, issueColumns } from '../issues/queries.ts'
import { issue } from '../issues/subject.ts'
import type { MergeRequest, MergeRequestRecord } from '../merge-requests/merge-request.ts'
import { completeMergeRequests, mergeRequestColumns } from '../merge-requests/queries.ts'
import { mergeRequest } from '../merge-requests/subject.ts'
import { openRepository, revision } from '../repository/opened-repository.ts'
import type { RepositoryCommit, RepositoryDiff } from '../repository/repository.ts'
import { closedIssues, mentionsIssue, type NamedIssue } from './closing.ts'
import { contentOf, glance, look, looked, present } from './looking.ts'
import { versionsOf } from './queries.ts'
import type {
  MergeRequestDetails,
  MergeRequestVersion,
  MergeRequestVersionDetails,
  MergeRequestWithChanges,
} from './version.ts'

/** Merge requests that mention an issue are looked for among this many, the newest first. */
const mostMentions = 1_000

const details = (whole: MergeRequest, version: MergeRequestVersion | undefined): MergeRequestDetails => ({
  ...whole,
  sha: version?.headCommitSha ?? null,
  diffRefs: version
    ? { baseSha: version.baseCommitSha, headSha: version.headCommitSha, startSha: version.startCommitSha }
    : null,
})

const wholeOf = async (ctx: Context, record: MergeRequestRecord) =>
  (await completeMergeRequests(ctx, [record]))[0] as MergeRequest

const readable = (ctx: Context) =>
  ctx.db
    .selectFrom('mergeRequest')
    .innerJoin('project', 'project.id', 'mergeRequest.projectId')
    .where(readableMergeRequests(ctx))
    .select(mergeRequestColumns)

/** Merge requests of an issue's own project whose title or description fits, oldest first. */
const mentioning = async (
  ctx: Context,
  { project, issue }: Subjects['issue'],
  at: PagingInput,
  fits: (text: string) => boolean,
): Promise<Page<MergeRequest>> => {
  const pattern = likePattern(`#${issue.iid}`)
  const rows = await readable(ctx)
    .where('mergeRequest.projectId', '=', project.id)
    .where((eb) => eb.or([matches('mergeRequest.title', pattern), matches('mergeRequest.description', pattern)]))
    .orderBy('mergeRequest.id', 'desc')
    .limit(mostMentions)
    .execute()
  const fitting = rows.filter(({ title, description }) => fits(`${title}\n${description ?? ''}`)).reverse()
  const page = pageOf<MergeRequestRecord>(fitting, at)
  return { ...page, items: await completeMergeRequests(ctx, page.items) }
}

/** The named issues that the caller can read, in the order in which they are named. */
const issuesNamed = async (ctx: Context, home: string, named: readonly NamedIssue[]): Promise<Issue[]> => {
  const records: IssueRecord[] = []
  for (const { projectPath = home, iid } of named) {
    const row = await ctx.db
      .selectFrom('issue')
      .innerJoin('project', 'project.id', 'issue.projectId')
      .where('project.fullPath', '=', projectPath)
      .where('issue.iid', '=', iid)
      .where(readableIssues(ctx))
      .select(issueColumns)
      .executeTakeFirst()
    if (row) records.push(row)
  }
  return completeIssues(ctx, records)
}

/** What merge requests change, read from the repository of their project. */
export const mergeRequestChanges = {
  /** One merge request, with the commits that its changes lie between. */
  get: query({
    on: mergeRequest,
    can: 'mergeRequest.read',
    async run(ctx, _input, subject) {
      const whole = await wholeOf(ctx, subject.mergeRequest)
      const found = await glance(ctx, subject)
      return outside(async (steps) => details(whole, await look(steps, found)))
    },
  }),

  /** Commits that a merge request brings, the newest first. */
  commits: query({
    on: mergeRequest,
    can: 'mergeRequest.read',
    input: paging,
    async run(ctx, at, subject) {
      const found = await glance(ctx, subject)
      return outside(async (steps): Promise<Page<RepositoryCommit>> => {
        const content = await looked(steps, found)
        return pageOf([...(content?.commits ?? [])].reverse(), at)
      })
    },
  }),

  /** Files that a merge request changes. */
  diffs: query({
    on: mergeRequest,
    can: 'mergeRequest.read',
    input: paging,
    async run(ctx, at, subject) {
      const found = await glance(ctx, subject)
      return outside(async (steps): Promise<Page<RepositoryDiff>> => {
        return pageOf((await looked(steps, found))?.diffs ?? [], at)
      })
    },
  }),

  /** A merge request and the files that it changes, all at once. */
  changes: query({
    on: mergeRequest,
    can: 'mergeRequest.read',
    async run(ctx, _input, subject) {
      const whole = await wholeOf(ctx, subject.mergeRequest)
      const found = await glance(ctx, subject)
      return outside(async (steps): Promise<MergeRequestWithChanges> => {
        const content = await looked(steps, found)
        return {
          ...details(whole, content?.version),
          changes: content?.diffs ?? [],
          overflow: content?.compareTimeout ?? false,
        }
      })
    },
  }),

  /** How a merge request stood whenever somebody looked, the newest version first. */
  versions: query({
    on: mergeRequest,
    can: 'mergeRequest.read',
    input: paging,
    async run(ctx, at, subject) {
      const found = await glance(ctx, subject)
      return outside(async (steps): Promise<Page<MergeRequestVersion>> => {
        await look(steps, found)
        return steps.read((later) =>
          paginate(versionsOf(later, subject.mergeRequest.id), at, (row): MergeRequestVersion => row),
        )
      })
    },
  }),

  /** One version, with its commits and files. */
  version: query({
    on: mergeRequest,
    can: 'mergeRequest.read',
    input: { version: Id },
    async run(ctx, { version: id }, subject) {
      const { opened } = await glance(ctx, subject)
      const version = await versionsOf(ctx, subject.mergeRequest.id)
        .where('mergeRequestVersion.id', '=', id)
        .executeTakeFirst()
      return outside(async (): Promise<MergeRequestVersionDetails> => {
        const { commits, diffs } = await contentOf(present(opened), present(version))
        return { ...present(version), commits: [...commits].reverse(), diffs }
      })
    },
  }),

  /** Issues that a merge request says it closes, in its description or in the messages of its commits. */
  closesIssues: query({
    on: mergeRequest,
    can: 'mergeRequest.read',
    input: paging,
    async run(ctx, at, subject) {
      const { project, mergeRequest } = subject
      const found = await glance(ctx, subject)
      return outside(async (steps): Promise<Page<Issue>> => {
        const messages = (await looked(steps, found))?.commits.map(({ message }) => message) ?? []
        const named = closedIssues([mergeRequest.description ?? '', ...messages].join('\n'))
        return pageOf(await steps.read((later) => issuesNamed(later, project.fullPath, named)), at)
      })
    },
  }),

  /** Merge requests that bring a commit, as far as somebody has looked at them. */
  ofCommit: query({
    on: project,
    can: 'mergeRequest.list',
    input: { ...paging, sha: v.pipe(v.string(), v.maxLength(1_024)) },
    async run(ctx, { sha, ...at }, subject) {
      const opened = await openRepository(ctx, subject)
      return outside(async ({ read }): Promise<Page<MergeRequest>> => {
        const commit = sha === '' ? undefined : await revision(opened, sha)
        if (commit === undefined) throw notFound('Commit')
        return read(async (later) => {
          const rows = readable(later)
            .innerJoin('mergeRequestCommit', 'mergeRequestCommit.mergeRequestId', 'mergeRequest.id')
            .where('mergeRequest.projectId', '=', subject.project.id)
            .where('mergeRequestCommit.sha', '=', commit)
            .orderBy('mergeRequest.id', 'desc')
          const page = await paginate(rows, at, (row): MergeRequestRecord => row)
          return { ...page, items: await completeMergeRequests(later, page.items) }
        })
      })
    },
  }),

  /** Merge requests of the same project that name an issue, the oldest first. */
  relatedToIssue: query({
    on: issue,
    can: 'issue.read',
    input: paging,
    run: (ctx, at, subject) => mentioning(ctx, subject, at, (text) => mentionsIssue(text, subject.issue.iid)),
  }),

  /** Merge requests of the same project that say they close an issue, the oldest first. */
  closingIssue: query({
    on: issue,
    can: 'issue.read',
    input: paging,
    run: (ctx, at, subject) =>
      mentioning(ctx, subject, at, (text) =>
        closedIssues(text).some(
          ({ projectPath, iid }) =>
            iid === subject.issue.iid && (projectPath === undefined || projectPath === subject.project.fullPath),
        ),
      ),
  }),
}
