import * as v from 'valibot'
import { account, accountEntries, project } from '../../../access/subjects.ts'
import { IdOrName, mutuallyExclusive } from '../../../kernel/inputs.ts'
import type { SubjectLoader } from '../../../kernel/operation.ts'

const entries = {
  /** Id (number) or full path (string, case-insensitive) of the project whose events to list. */
  project: v.optional(IdOrName),
  ...accountEntries,
}

/** The project, or the user by whom events are. */
export const projectOrAccount: SubjectLoader<'project' | 'currentUser' | 'user', typeof entries> = {
  kinds: ['project', 'currentUser', 'user'],
  entries,
  rules: [mutuallyExclusive('project', 'user')],
  kindOf({ project, user }) {
    if (project !== undefined) return 'project'
    return user === undefined ? 'currentUser' : 'user'
  },
  load: (ctx, { project: reference, user }) =>
    reference === undefined ? account.load(ctx, { user }) : project.load(ctx, { project: reference }),
}
