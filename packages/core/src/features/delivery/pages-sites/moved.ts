import { lower } from '../../../db/functions.ts'
import type { Context } from '../../../kernel/context.ts'
import type { FoundSite } from './find-site.ts'

/** The URL that a site prefers to the requested one: its primary domain, and TLS where the domain has a certificate. */
export const findMoved = async (
  { db, now }: Context,
  { project, host, base, path }: FoundSite,
  isSecure: boolean,
): Promise<string | undefined> => {
  if (host === undefined) return undefined
  const choices = await db
    .selectFrom('pagesSite')
    .where('projectId', '=', project.id)
    .select(['httpsOnly', 'primaryDomain'])
    .executeTakeFirst()
  const target = choices?.primaryDomain ?? host
  if (!choices || (target === host && (isSecure || !choices.httpsOnly))) return undefined
  const domain = await db
    .selectFrom('pagesDomain')
    .where(lower('name'), '=', target)
    .where('projectId', '=', project.id)
    .where('enabledUntil', '>', now)
    .select('certificateEndsAt')
    .executeTakeFirst()
  // A domain that is not verified any longer, or has no valid certificate, is not worth a redirect.
  const hasTls = domain?.certificateEndsAt != null && domain.certificateEndsAt > now
  if (domain === undefined || (target === host && !hasTls)) return undefined
  return `${hasTls && (isSecure || choices.httpsOnly) ? 'https' : 'http'}://${target}${target === host ? base : ''}${path || '/'}`
}
