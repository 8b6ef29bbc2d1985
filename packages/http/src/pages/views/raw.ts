import { PlatformError } from '@forgelet/core'
import type { View } from '../page-context.ts'
import { createRawHeaders } from '../raw-content.ts'

/** The bytes of a file at a branch, tag or commit. */
export const view: View = async (ctx, { project = '', rest = '' }) => {
  const { ref, path } = await ctx.session.repository.locate({ project, location: rest })
  if (path === '') throw new PlatformError('not_found', 'Not found')
  const { sha, size, content } = await ctx.session.repositoryFiles.getRaw({ project, ref, filePath: path })
  const headers = { ...createRawHeaders(path.slice(path.lastIndexOf('/') + 1)), 'Content-Length': String(size) }
  return { status: 200, bytes: content, headers: { ...headers, ETag: `"${sha}"` } }
}
