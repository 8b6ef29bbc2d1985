import { column } from '../../../db/functions.ts'

/** The manual order of the issues of an epic. */
export const orderOf = (epicId: number) =>
  ({ table: 'epicIssue', parent: 'epicId', parentId: epicId, position: column('epicIssue.relativePosition') }) as const
