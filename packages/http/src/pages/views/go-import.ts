import { isPlatformError } from '@forgelet/core'
import { html } from '../html.ts'
import type { PageContext, View } from '../page-context.ts'

/** Groups can be nested to 20 levels. */
const maxProjectSegments = 21

/**
 * The project that contains a Go package. Without one that the visitor can see, the first two segments: the reply does not tell
 * whether a project exists.
 */
const findProjectPath = async ({ session }: PageContext, segments: readonly string[]): Promise<string> => {
  for (let count = 2; count <= Math.min(segments.length, maxProjectSegments); count++) {
    try {
      const { fullPath } = await session.projects.get({ project: segments.slice(0, count).join('/') })
      return fullPath
    } catch (error) {
      if (!isPlatformError(error) || error.code !== 'not_found') throw error
    }
  }
  return segments.slice(0, 2).join('/')
}

/** The repository of a Go package, for `go get`: https://go.dev/ref/mod#vcs-find. */
export const view: View = async (ctx, { path = '' }) => {
  const project = await findProjectPath(ctx, path.split('/'))
  const url = ctx.siteUrl.replace(/^[a-z]+:\/\//, '')
  const bytes = html`<!doctype html><html><head><meta name="go-import" content="${url}/${project} git ${ctx.siteUrl}/${project}.git"></head><body>go get ${url}/${project}</body></html>`
  return { status: 200, bytes: bytes.toString(), headers: { 'Content-Type': 'text/html; charset=utf-8' } }
}
