import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import { holdingOne } from '../../access/holdings.ts'
import { Access } from '../../access/levels.ts'
import { readableIssues, readableSnippets } from '../../access/predicates.ts'
import type { Database } from '../../database.ts'
import { isAdministrator } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { may, type policy, type Subjects } from '../../policy.ts'

type InEvents = ExpressionBuilder<Database, 'project' | 'event'>
type Ability = keyof (typeof policy)['project']

/**
 * Which events of one project the actor may see. What the project decides is decided once and not for each row; only
 * secret issues and snippets are looked at one by one. The same rows as with `readableEvents`.
 */
export const readableInProject =
  (ctx: Pick<Context, 'db' | 'actor' | 'now'>, subject: Subjects['project']) =>
  (eb: InEvents): Expression<SqlBool> => {
    const asking = holdingOne(ctx, subject)
    const can = (ability: Ability) => may<'project'>(ctx.actor, subject, ability)
    const kinds: Expression<SqlBool>[] = []
    if (can('event.list')) {
      const ofProject = [
        eb('event.action', '!=', 'pushed'),
        eb('event.issueId', 'is', null),
        eb('event.mergeRequestId', 'is', null),
        eb('event.snippetId', 'is', null),
      ]
      const snippet = eb
        .selectFrom('snippet')
        .whereRef('snippet.id', '=', 'event.snippetId')
        .where((inner) => readableSnippets(asking)(inner as never))
        .select('snippet.id')
      kinds.push(eb.and(ofProject), eb.and([eb('event.snippetId', 'is not', null), eb.exists(snippet)]))
    }
    if (can('code.read')) kinds.push(eb('event.action', '=', 'pushed'))
    if (can('mergeRequest.list')) kinds.push(eb('event.mergeRequestId', 'is not', null))
    if (can('issue.list')) {
      const about = eb('event.issueId', 'is not', null)
      const issue = eb
        .selectFrom('issue')
        .whereRef('issue.id', '=', 'event.issueId')
        .where((inner) => readableIssues(asking)(inner as never))
        .select('issue.id')
      const seesSecrets = subject.access >= Access.reporter || isAdministrator(ctx.actor)
      kinds.push(seesSecrets ? about : eb.and([about, eb.exists(issue)]))
    }
    return eb.or(kinds)
  }
