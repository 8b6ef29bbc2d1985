import { lower } from '../../../db/functions.ts'
import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import type { Handle } from '../../../kernel/store.ts'
import { withDefaultSettings } from '../../spaces/projects/settings.ts'
import { domainKey } from './domain-name.ts'
import type { PagesDomainRow } from './pages-domain.ts'

/** Domains without the texts of their certificates. */
export const domainsWithoutCertificate = ({ db }: Pick<Handle, 'db'>) =>
  db
    .selectFrom('pagesDomain')
    .select(['pagesDomain.id', 'pagesDomain.projectId', 'pagesDomain.name', 'pagesDomain.autoSslEnabled'])
    .select(['pagesDomain.certificateStartsAt', 'pagesDomain.certificateEndsAt', 'pagesDomain.verificationCode'])
    .select(['pagesDomain.verifiedAt', 'pagesDomain.enabledUntil'])

/** Domains with all columns. */
export const domains = (handle: Pick<Handle, 'db'>) =>
  domainsWithoutCertificate(handle).select([
    'pagesDomain.certificate',
    'pagesDomain.sealedKey',
    'pagesDomain.createdAt',
  ])

export const domainById = (handle: Pick<Handle, 'db'>, id: number): Promise<PagesDomainRow | undefined> =>
  domains(handle).where('id', '=', id).executeTakeFirst()

/** A project's domain by name, ignoring case. */
export async function domainByName(ctx: Context, projectId: number, name: string): Promise<PagesDomainRow> {
  const row = await domains(ctx)
    .where(lower('name'), '=', domainKey(name))
    .where('projectId', '=', projectId)
    .executeTakeFirst()
  if (!row) throw notFound('PagesDomain')
  return row
}

/** True if any project has a domain of that name, ignoring case. */
export async function isNameTaken(ctx: Context, name: string): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('pagesDomain')
    .where(lower('name'), '=', domainKey(name))
    .select('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Reports the whole API as missing where the host serves no pages. */
export const assertPagesEnabled = ({ ports }: Pick<Context, 'ports'>): void => {
  if (!ports.pages.enabled) throw notFound()
}

/** Also reports the domains of a project as missing if its settings disable pages. */
export async function assertProjectPagesEnabled(ctx: Context, projectId: number): Promise<void> {
  assertPagesEnabled(ctx)
  const row = await ctx.db.selectFrom('project').where('id', '=', projectId).select('settings').executeTakeFirst()
  if (withDefaultSettings(row?.settings ?? null).pagesAccessLevel === 'disabled') throw notFound()
}
