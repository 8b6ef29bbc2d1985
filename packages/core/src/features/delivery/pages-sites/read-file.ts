import { Readable } from 'node:stream'
import type { Context } from '../../../kernel/context.ts'
import { afterTransaction, type Deferred } from '../../../kernel/deferred.ts'
import { notFound } from '../../../kernel/errors.ts'
import { readFile } from '../../collaboration/uploads/upload-file.ts'
import type { FoundSite } from './find-site.ts'
import type { PagesReply } from './pages-site.ts'
import { findDeployment } from './queries.ts'
import { findRedirect } from './redirects.ts'

const missingPage = '404.html'

/** The path of a file; undefined for a path that no file can have: encoded separators, `..`, and invalid encodings. */
const toFilePath = (path: string): string | undefined => {
  const encoded = path.replace(/^\/+/, '')
  if (/%(?:2f|5c|00)/i.test(encoded)) return undefined
  try {
    const decoded = decodeURIComponent(encoded)
    return decoded.includes('\\') || decoded.split('/').some((part) => part === '..' || part === '.')
      ? undefined
      : decoded
  } catch {
    return undefined
  }
}

const isDirectory = (path: string) => path === '' || path.endsWith('/')

/** The files that a path can mean, the first of which counts. */
const listCandidates = (path: string): readonly string[] =>
  isDirectory(path) ? [`${path}index.html`] : [path, `${path}/index.html`, `${path}.html`]

type Deployment = NonNullable<Awaited<ReturnType<typeof findDeployment>>>

const findFile = async ({ db }: Context, { id }: Deployment, paths: readonly string[]) => {
  const rows = await db
    .selectFrom('pagesFile')
    .where('deploymentId', '=', id)
    .where('path', 'in', paths)
    .select(['path', 'position', 'size', 'sha256'])
    .execute()
  return paths.map((path) => rows.find((row) => row.path === path)).find((row) => row !== undefined)
}

type FileRow = NonNullable<Awaited<ReturnType<typeof findFile>>>

const open = (
  { ports, call }: Context,
  { storageKey }: Deployment,
  { path, position: offset, size, sha256 }: FileRow,
  reply: { readonly status: 200 | 404; readonly isPublic: boolean },
): Deferred<PagesReply> =>
  afterTransaction(async () => ({
    kind: 'file',
    ...reply,
    ...{ fileName: path.slice(path.lastIndexOf('/') + 1), size, sha256 },
    content: size === 0 ? Readable.from([]) : await readFile({ ports, call }, storageKey, { offset, length: size }),
  }))

/** Answers a request for a file of a site. Files come before the rules of `_redirects`, as in GitLab. */
export const readSiteFile = async (
  ctx: Context,
  { project, base, path, host }: FoundSite,
  isPublic: boolean,
): Promise<PagesReply | Deferred<PagesReply>> => {
  const deployment = await findDeployment(ctx, project.id)
  if (!deployment) throw notFound('')
  const redirect = (location: string, status: 301 | 302): PagesReply => ({
    kind: 'redirect',
    location,
    status,
    isPublic,
  })
  // The root of a site is a directory.
  if (path === '') return redirect(`${base}/`, 302)
  const filePath = toFilePath(path)
  const file = filePath === undefined ? undefined : await findFile(ctx, deployment, listCandidates(filePath))
  if (file?.path === `${filePath}/index.html`) return redirect(`${base}${path.replace(/^\/+/, '/')}/`, 302)
  if (file) return open(ctx, deployment, file, { status: 200, isPublic })
  // At a host, rules contain the path of the site, as in GitLab.
  const prefix = host === undefined ? base : ''
  const ruled = host === undefined ? path : `${base}${path}`
  const rule = deployment.redirects === null ? undefined : findRedirect(deployment.redirects, { host, path: ruled })
  if (rule && rule.status !== 200)
    return redirect(rule.to.startsWith('/') ? `${prefix}${rule.to}` : rule.to, rule.status)
  const target =
    rule && toFilePath(host === undefined ? rule.to : rule.to.slice(rule.to.startsWith(base) ? base.length : 0))
  const rewritten = target === undefined ? undefined : await findFile(ctx, deployment, listCandidates(target))
  if (rewritten) return open(ctx, deployment, rewritten, { status: 200, isPublic })
  const missing = await findFile(ctx, deployment, [missingPage])
  if (!missing) throw notFound('')
  return open(ctx, deployment, missing, { status: 404, isPublic })
}
