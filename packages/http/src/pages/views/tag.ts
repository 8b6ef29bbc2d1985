import { fileUrl } from '../components/project-page.ts'
import { redirectTo, type View } from '../page-context.ts'

/** The files of a tag are its page. */
export const view: View = async (ctx, { project = '', rest = '' }) =>
  redirectTo(fileUrl(ctx, project, { kind: 'tree', ref: rest, path: '' }))
