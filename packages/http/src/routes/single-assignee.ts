import * as v from 'valibot'
import type { RouteOptions } from '../routing/route.ts'

/** `assignee_id` names the only assignee; 0 or nothing removes all. */
export const readSingleAssignee = ({
  assignee_id,
  ...others
}: Parameters<NonNullable<RouteOptions['rewrite']>>[0]): ReturnType<NonNullable<RouteOptions['rewrite']>> =>
  assignee_id === undefined || others.assignee_ids !== undefined
    ? others
    : { ...others, assignee_ids: [assignee_id === null || assignee_id === '' ? 0 : assignee_id] }

export const singleAssignee = {
  assignee_id: v.optional(v.pipe(v.number(), v.description('Id of the only assignee; 0 for none.'))),
}
