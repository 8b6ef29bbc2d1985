import { isPlatformError } from '@forgelet/core'
import type { View } from '../page-context.ts'
import { view as viewGroup } from './group.ts'
import { view as viewProject } from './project.ts'

/** A path of several segments is a project or a subgroup, which share their names. */
export const view: View = async (ctx, { path = '' }) => {
  try {
    return await viewProject(ctx, { project: path })
  } catch (error) {
    if (!isPlatformError(error) || error.code !== 'not_found') throw error
  }
  return viewGroup(ctx, { group: path })
}
