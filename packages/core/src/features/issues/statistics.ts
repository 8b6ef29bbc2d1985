import type { ObjectEntries } from 'valibot'
import { group, instance, project } from '../../access/subjects.ts'
import type { Context } from '../../kernel/context.ts'
import { invalidInput } from '../../kernel/errors.ts'
import { query, type Subject } from '../../kernel/operation.ts'
import type { Subjects } from '../../policy.ts'
import { countIssues } from './counting.ts'
import { filterInput, filterRules, type IssueFilters } from './filters.ts'

/** The tier is known only once the call is made; like every fault of the input it comes before the place is looked up. */
const refuseSeveralAssignees = ({ tier }: Context, usernames: readonly string[] = []) => {
  if (tier === 'paid' || usernames.length < 2) return
  const message = `allows one value, but found ${usernames.length}: ${usernames.join(', ')}`
  throw invalidInput([{ fields: ['assigneeUsername'], message }])
}

const onThe = <K extends keyof Subjects, E extends ObjectEntries, G>(on: Subject<K, E, G>): Subject<K, E, G> => ({
  ...on,
  load(ctx, reference) {
    // The subject is loaded with the whole input at hand.
    refuseSeveralAssignees(ctx, (reference as Pick<IssueFilters, 'assigneeUsername'>).assigneeUsername)
    return on.load(ctx, reference)
  },
})

/** How many issues there are, opened and closed, as far as the caller may read them. Specification 1, "Issue statistics". */
export const issueStatistics = {
  /** Across all projects; only issues that the caller has written, unless `scope` says otherwise. */
  overall: query({
    on: onThe(instance),
    can: 'issue.count',
    input: filterInput,
    rules: filterRules,
    run: (ctx, { scope = 'created_by_me', ...filters }, place) => countIssues(ctx, place, { scope, ...filters }),
  }),

  /** In a group and the groups below it. */
  ofGroup: query({
    on: onThe(group),
    can: 'issue.count',
    input: filterInput,
    rules: filterRules,
    run: (ctx, filters, place) => countIssues(ctx, place, filters),
  }),

  /** In a project; none where its issues are not open to the caller. */
  ofProject: query({
    on: onThe(project),
    can: 'issue.count',
    input: filterInput,
    rules: filterRules,
    run: (ctx, filters, place) => countIssues(ctx, place, filters),
  }),
}
