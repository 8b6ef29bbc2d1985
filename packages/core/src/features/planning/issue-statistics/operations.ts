import type { ObjectEntries } from 'valibot'
import { place } from '../../../access/subjects.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { invalidInput } from '../../../kernel/errors.ts'
import { query, type SubjectLoader } from '../../../kernel/operation.ts'
import { getDefaultScope, listFilterRules } from '../issuables/filters.ts'
import { countIssues } from '../issues/counts/counts.ts'
import { filterInput, type IssueFilters } from '../issues/filters.ts'

/** Only the context has the tier, so this is no input rule; like one, it runs before the subject is loaded. */
const assertSingleAssignee = ({ tier }: Context, usernames: readonly string[] = []) => {
  if (tier === 'paid' || usernames.length < 2) return
  const message = `allows one value, but found ${usernames.length}: ${usernames.join(', ')}`
  throw invalidInput([{ fields: ['assigneeUsername'], message }])
}

const withAssigneeLimit = <K extends keyof Subjects, E extends ObjectEntries, G>(
  on: SubjectLoader<K, E, G>,
): SubjectLoader<K, E, G> => ({
  ...on,
  load(ctx, reference) {
    // At run time, `reference` is the whole input.
    assertSingleAssignee(ctx, (reference as Pick<IssueFilters, 'assigneeUsername'>).assigneeUsername)
    return on.load(ctx, reference)
  },
})

/** Counts of the issues that the current user may read, by state: specification 1, "Issue statistics". */
export const issueStatistics = {
  /**
   * Counts the issues of a project, of a group and its subgroups, or of all projects: there, unless `scope` is set, only those that
   * the current user created. Zero if the user has no access to the issues of the project.
   */
  get: query({
    on: withAssigneeLimit(place),
    can: 'issue.count',
    input: filterInput,
    rules: listFilterRules,
    run: (ctx, { scope, ...filters }, subject) =>
      countIssues(ctx, subject, { scope: scope ?? getDefaultScope(subject), ...filters }),
  }),
}
