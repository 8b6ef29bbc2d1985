import * as v from 'valibot'
import { afterTransaction } from '../../../../kernel/deferred.ts'
import { notFound } from '../../../../kernel/errors.ts'
import { mutuallyExclusive } from '../../../../kernel/inputs.ts'
import { type InputRule, query } from '../../../../kernel/operation.ts'
import { openRepository, resolveRevision } from '../../../code/repository/opened-repository.ts'
import { getDefaultScope, placeListInput } from '../../../planning/issuables/filters.ts'
import { placeOrMilestone } from '../../../planning/milestones/subject.ts'
import { listInput, listRules } from '../filters.ts'
import { listMergeRequests, type MergeRequestPage } from '../list.ts'

type Input = Readonly<Record<string, unknown>>

const commitOfProject: InputRule<Input> = ({ commit, project }) =>
  commit !== undefined && project === undefined ? { fields: ['commit'], message: 'requires project' } : undefined

const recheck = (page: MergeRequestPage) =>
  afterTransaction(async ({ write }): Promise<MergeRequestPage> => {
    const unchecked = page.items.filter(({ state, mergeStatus }) => state === 'opened' && mergeStatus === 'unchecked')
    const jobs = unchecked.map(({ projectId, iid }) => ({ payload: { projectId, iid }, key: `${projectId}!${iid}` }))
    if (jobs.length) await write((ctx) => ctx.enqueueAll('mergeRequests.refreshVersion', jobs))
    return page
  })

/** The list of `mergeRequests`. */
export const mergeRequestList = {
  /**
   * Lists merge requests into a project, into the projects of a group and its subgroups, of a milestone, or into all projects that
   * the current user can read, newest first by default: into all projects, unless `scope` is set, only those that the current
   * user created.
   *
   * @throws PlatformError `not_found` for an unknown commit or milestone
   */
  list: query({
    on: placeOrMilestone,
    can: 'mergeRequest.list',
    input: {
      ...listInput,
      ...placeListInput,
      /**
       * Only merge requests with a stored version that contains this commit of `project`, sorted by id instead of `created_at`: a
       * SHA (hexadecimal, may be abbreviated), a branch or a tag, at most 1,024 characters. Cannot be combined with `milestone`.
       */
      commit: v.optional(v.pipe(v.string(), v.maxLength(1_024))),
      /** Whether a job compares the branches of those listed open merge requests that were not compared since the last push. */
      withMergeStatusRecheck: v.optional(v.boolean(), false),
    },
    rules: [...listRules, commitOfProject, mutuallyExclusive<Input>('commit', 'milestone')],
    async run(ctx, { scope, commit, withMergeStatusRecheck, ...input }, subject) {
      const options = { ...input, scope: scope ?? getDefaultScope(subject) }
      if (commit === undefined || subject.kind !== 'project') {
        const page = await listMergeRequests(ctx, subject, options)
        return withMergeStatusRecheck && ctx.actor.kind !== 'anonymous' ? recheck(page) : page
      }
      const opened = await openRepository(ctx, subject)
      return afterTransaction(async ({ read }): Promise<MergeRequestPage> => {
        const sha = commit === '' ? undefined : await resolveRevision(opened, commit)
        if (sha === undefined) throw notFound('Commit')
        return read((later) => listMergeRequests(later, subject, options, { sha }))
      })
    },
  }),
}
