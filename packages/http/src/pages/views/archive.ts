import { PlatformError } from '@forgelet/core'
import { archiveSuffixes } from '@forgelet/core/operations'
import { formatAttachment } from '../../reply/content-disposition.ts'
import type { View } from '../page-context.ts'

const suffixes = Object.keys(archiveSuffixes)

/** The longest suffix of a file name, so that `v1.tar.gz` is not a revision `v1.tar` in the format `gz`. */
const splitName = (name: string): { readonly stem: string; readonly format: string } | undefined => {
  const format = suffixes.find((suffix) => name.endsWith(`.${suffix}`))
  return format === undefined ? undefined : { stem: name.slice(0, -format.length - 1), format }
}

/** An archive of a branch, tag or commit: `v1/any-name.tar.gz`, or `v1.tar.gz`. A revision can contain slashes. */
export const view: View = async (ctx, { project = '', rest = '' }) => {
  const slash = rest.lastIndexOf('/')
  const name = splitName(rest.slice(slash + 1))
  if (name === undefined) throw new PlatformError('not_found', 'Not found')
  const path = ctx.query.get('path')
  const get = (sha: string) =>
    ctx.session.repository.getArchive({ project, sha, format: name.format, ...(path && { path }) })
  const { fileName, format, content } = await get(slash < 0 ? name.stem : rest.slice(0, slash))
  return {
    status: 200,
    bytes: content,
    headers: {
      'Content-Type': format === 'zip' ? 'application/zip' : 'application/octet-stream',
      'Content-Disposition': formatAttachment(fileName, `archive.${format}`),
      'Content-Security-Policy': "sandbox; default-src 'none'",
    },
  }
}
