import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { findNearestMember } from '../../spaces/members/queries.ts'
import type { BoardOwner } from './reach.ts'

/** @throws PlatformError `not_found` unless the user is a member of the project or group */
export const assertBoardMember = async (ctx: Context, owner: BoardOwner, userId: number): Promise<void> => {
  if (!(await findNearestMember(ctx, owner, userId))) throw notFound('User')
}
