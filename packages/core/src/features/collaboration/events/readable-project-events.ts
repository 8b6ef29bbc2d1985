import { type Expression, type ExpressionBuilder, expressionBuilder, type SqlBool } from 'kysely'
import { Access } from '../../../access/levels.ts'
import { readableIssues, readableSnippets } from '../../../access/predicates.ts'
import { withAccessToProject } from '../../../access/project-access.ts'
import type { Database } from '../../../contract/database.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import { getUserId, isAdministrator } from '../../../kernel/actor.ts'
import type { Context } from '../../../kernel/context.ts'
import { hasAbility } from '../../../policy/authorize.ts'
import type { policy } from '../../../policy.ts'

type EventExpressions = ExpressionBuilder<Database, 'project' | 'event'>
type Ability = keyof (typeof policy)['project']

/**
 * The events of one project that the actor can read: the same rows as `readableEvents`, but the abilities on the project are
 * evaluated once instead of per row. Only confidential issues, internal notes and snippets
 * are checked per row.
 */
export const readableProjectEvents =
  (ctx: Pick<Context, 'db' | 'actor' | 'now'>, subject: Subjects['project']) =>
  (eb: EventExpressions): Expression<SqlBool> => {
    const accessCtx = withAccessToProject(ctx, subject)
    const can = (ability: Ability) => hasAbility<'project'>(ctx.actor, subject, ability)
    const readable: Expression<SqlBool>[] = []
    /** Reads confidential issues and internal notes. */
    const readsAll = subject.access >= Access.reporter || isAdministrator(ctx.actor)
    if (can('event.list')) {
      const isProjectEvent = [
        eb('event.action', '!=', 'pushed'),
        eb('event.issueId', 'is', null),
        eb('event.mergeRequestId', 'is', null),
        eb('event.milestoneId', 'is', null),
        eb('event.snippetId', 'is', null),
      ]
      readable.push(
        eb.and(isProjectEvent),
        eb.and([eb('event.snippetId', 'is not', null), readableSnippets(accessCtx)(expressionBuilder())]),
      )
    }
    if (can('code.read')) readable.push(eb('event.action', '=', 'pushed'))
    if (can('milestone.read')) readable.push(eb('event.milestoneId', 'is not', null))
    if (can('mergeRequest.list')) readable.push(eb('event.mergeRequestId', 'is not', null))
    if (can('issue.list')) {
      const isIssueEvent = eb('event.issueId', 'is not', null)
      readable.push(readsAll ? isIssueEvent : eb.and([isIssueEvent, readableIssues(accessCtx)(expressionBuilder())]))
    }
    if (readsAll) return eb.or(readable)
    const publicOrOwn = eb.or([eb('event.internal', '=', false), eb('event.authorId', '=', getUserId(ctx.actor))])
    return eb.and([publicOrOwn, eb.or(readable)])
  }
