import { isPlatformError } from '@forgelet/core'
import type { View } from '../page-context.ts'
import { view as viewGroup } from './group.ts'
import { view as viewUser } from './user.ts'

/** A path of one segment is a group or a user, which share their names. */
export const view: View = async (ctx, { path = '' }) => {
  try {
    return await viewGroup(ctx, { group: path })
  } catch (error) {
    if (!isPlatformError(error) || error.code !== 'not_found') throw error
  }
  return viewUser(ctx, { path })
}
