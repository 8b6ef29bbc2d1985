import type { Session } from '@forgelet/core'
import type { RepositoryDiff } from '@forgelet/core/operations'
import { ApprovalsWire } from '../../shapes/approvals.ts'
import { MergeRequestDetailsWire } from '../../shapes/merge-request-changes.ts'
import { CommitWire } from '../../shapes/repository.ts'
import { sliceConnection } from '../connection.ts'
import { listField } from '../fields.ts'
import type { Item } from '../references.ts'
import type { GraphqlContext, Resolver } from '../resolver.ts'
import { paging, type SchemaPart } from '../schema-part.ts'

/** A merge request in the input of operations. */
export const toMergeRequestReference = ({ project_id: project, iid: mergeRequest }: Item) => ({
  project,
  mergeRequest,
})

/** The fields that depend on the repository. */
export const readDetails = async (source: Item, { session, site }: GraphqlContext) =>
  MergeRequestDetailsWire(await session.mergeRequests.get(toMergeRequestReference(source)), site)

const readApprovals = async (source: Item, { session, site }: GraphqlContext) =>
  ApprovalsWire(await session.mergeRequestApprovals.get(toMergeRequestReference(source)), site)

const approvalField =
  (name: keyof Awaited<ReturnType<typeof readApprovals>>): Resolver =>
  async (source: Item, _args, context) =>
    (await readApprovals(source, context))[name]

const countLines = (diff: string, sign: '+' | '-') => diff.split('\n').filter((line) => line.startsWith(sign)).length

/** A changed file, with the numbers of changed lines. */
const toStats = ({ newPath, diff }: RepositoryDiff) => ({
  path: newPath,
  additions: countLines(diff, '+'),
  deletions: countLines(diff, '-'),
})

/** The first 100 changed files. */
const readStats = async ({ mergeRequests }: Session, source: Item) =>
  (await mergeRequests.listDiffs({ ...toMergeRequestReference(source), perPage: 100 })).items.map(toStats)

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)

/** Commits, changed files and approvals of merge requests. */
export const mergeRequestChangePart: SchemaPart = {
  types: `
type DiffRefs { baseSha: String headSha: String! startSha: String! }
type DiffStats { path: String! additions: Int! deletions: Int! }
type DiffStatsSummary { additions: Int! deletions: Int! changes: Int! fileCount: Int! }

extend type MergeRequest {
  mergeError: String
  approved: Boolean!
  approvalsRequired: Int
  approvalsLeft: Int
  approvedBy(${paging}): UserCoreConnection
  diffRefs: DiffRefs
  "Of the first 100 changed files."
  diffStats: [DiffStats!]
  "Of the first 100 changed files."
  diffStatsSummary: DiffStatsSummary
  commits(${paging}): CommitConnection
}
`,
  resolvers: {
    MergeRequest: {
      calls: {
        mergeError: async (source: Item, _args, context) => (await readDetails(source, context)).merge_error,
        diffRefs: async (source: Item, _args, context) => (await readDetails(source, context)).diff_refs,
        approved: approvalField('approved'),
        approvalsRequired: approvalField('approvals_required'),
        approvalsLeft: approvalField('approvals_left'),
        async approvedBy(source: Item, args, context) {
          const { approved_by: approvals } = await readApprovals(source, context)
          return sliceConnection(
            args,
            approvals.map(({ user }) => user),
          )
        },
        diffStats: (source: Item, _args, { session }) => readStats(session, source),
        async diffStatsSummary(source: Item, _args, { session }) {
          const files = await readStats(session, source)
          const additions = sum(files.map((file) => file.additions))
          const deletions = sum(files.map((file) => file.deletions))
          return { additions, deletions, changes: additions + deletions, file_count: files.length }
        },
        commits: listField(CommitWire, ({ mergeRequests }, window, source: Item) =>
          mergeRequests.listCommits({ ...toMergeRequestReference(source), ...window }),
        ),
      },
    },
  },
}
