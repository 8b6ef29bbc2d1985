import * as v from 'valibot'
import { Id, IdOrName } from '../../../kernel/inputs.ts'
import { command, query } from '../../../kernel/operation.ts'
import { type Page, paginate, pagingEntries } from '../../../kernel/paging.ts'
import { defined } from '../../../shared/defined.ts'
import { completeIssues } from '../issues/queries.ts'
import { issue } from '../issues/subject.ts'
import { issueLinkTypes, type LinkedIssue } from './issue-link.ts'
import { createLink, removeLink } from './mutations.ts'
import { selectLinks, toLink, toLinkType } from './queries.ts'

const linkInput = {
  /** Id of a link of the issue. */
  issueLink: Id,
}

/** Relations between issues. */
export const issueLinks = {
  /** Lists the issues that an issue is linked to and that the current user can read, oldest link first. */
  list: query({
    on: issue,
    can: 'issue.read',
    input: pagingEntries,
    async run(ctx, paging, { issue }): Promise<Page<LinkedIssue>> {
      const rows = (await selectLinks(ctx, issue.id)).orderBy('issueLink.id')
      const page = await paginate(rows, paging, (row) => row)
      const completed = await completeIssues(ctx, page.items)
      const items = page.items.map(({ sourceId, linkType, ...row }, at) => ({
        ...defined(completed[at]),
        ...row,
        linkType: toLinkType(linkType, sourceId === issue.id),
      }))
      return { ...page, items }
    },
  }),

  /** Gets a link of an issue. */
  get: query({
    on: issue,
    can: 'issue.read',
    input: linkInput,
    run: (ctx, { issueLink }, subject) => toLink(ctx, subject, issueLink),
  }),

  /**
   * Links an issue to another one, also of another project. Requires guest or above in both projects.
   *
   * @throws PlatformError `conflict` if the issues are linked already, `invalid` for a link to itself, `not_found` for an
   * invisible issue
   */
  create: command({
    on: issue,
    can: 'issueLink.manage',
    serializes: 'instance',
    input: {
      /** Id or full path of the project of the other issue. */
      targetProject: IdOrName,
      /** Number (iid) of the other issue in its project. */
      targetIssue: Id,
      /** `relates_to` (default); `blocks` or `is_blocked_by`, from the side of this issue. */
      linkType: v.optional(v.picklist(issueLinkTypes), 'relates_to'),
    },
    run: (ctx, input, subject) => createLink(ctx, subject, input),
  }),

  /** Removes a link between two issues and returns it. */
  remove: command({
    on: issue,
    can: 'issueLink.manage',
    serializes: 'instance',
    input: linkInput,
    run: (ctx, { issueLink }, subject) => removeLink(ctx, subject, issueLink),
  }),
}
