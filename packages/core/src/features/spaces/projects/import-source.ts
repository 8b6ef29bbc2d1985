import type { Context } from '../../../kernel/context.ts'
import { afterTransaction, complete, type Deferred } from '../../../kernel/deferred.ts'
import { invalid } from '../../../kernel/errors.ts'
import { maskOutboundUrl, type OutboundUrl, parseOutboundUrl } from '../../../network/outbound-url.ts'
import type { RemoteRequest } from '../../../ports/git.ts'
import type { Ports } from '../../../ports/ports.ts'
import { assertUrlAllowed } from '../../administration/settings/outbound-destination.ts'
import { getOutboundRules } from '../../administration/settings/outbound-rules.ts'

/** A remote repository to import. */
export type ImportSource = Pick<RemoteRequest, 'url' | 'credentials'>

const credentialsContext = (projectId: number) => `project.${projectId}.import`

/** @throws PlatformError `invalid` for a URL that is no address of a git repository, or whose host is not allowed */
export async function parseImportUrl(ctx: Context, text: string): Promise<OutboundUrl> {
  const { getHostError } = await getOutboundRules(ctx)
  const result = parseOutboundUrl(text, { getHostError })
  if ('problem' in result) throw invalid({ importUrl: [result.problem] })
  return result.target
}

/** Checks the address of a host outside of the transaction, and does the work in another one. */
export async function afterUrlCheck<T>(
  ctx: Context,
  { url }: OutboundUrl,
  work: (ctx: Context) => Promise<T | Deferred<T>>,
  field = 'importUrl',
): Promise<Deferred<T>> {
  const rules = await getOutboundRules(ctx)
  const { ports } = ctx
  return afterTransaction(async (runner) => {
    await assertUrlAllowed(ports, rules, url, field)
    return complete(await runner.write(work), () => runner)
  })
}

/** Settings of a project whose repository will be imported. */
export const scheduledImport = (target: OutboundUrl) =>
  ({ importStatus: 'scheduled', importType: 'git', importSource: maskOutboundUrl(target) }) as const

/** Has a job import a repository. The credentials are stored encrypted. */
export async function enqueueImport(ctx: Context, projectId: number, { url, user, password }: OutboundUrl) {
  const credentials = { username: user ?? '', password: password ?? '' }
  const sealedCredentials =
    user === null && password === null
      ? null
      : ctx.ports.secrets.seal(JSON.stringify(credentials), credentialsContext(projectId))
  await ctx.enqueue('projects.importRepository', { projectId, url, sealedCredentials }, { key: String(projectId) })
}

/** The payload of the job with decrypted credentials. */
export const openImportSource = (
  { secrets }: Ports,
  payload: { readonly projectId: number; readonly url: string; readonly sealedCredentials: string | null },
): ImportSource => {
  const { projectId, url, sealedCredentials } = payload
  if (sealedCredentials === null) return { url }
  const opened = secrets.open(sealedCredentials, credentialsContext(projectId))
  return { url, credentials: JSON.parse(opened) as NonNullable<ImportSource['credentials']> }
}
