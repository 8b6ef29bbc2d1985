import { lower } from '../../db/functions.ts'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import type { Handle } from '../../kernel/store.ts'
import { projectSettings } from '../projects/settings.ts'
import { domainKey } from './domain-name.ts'
import type { PagesDomainRow } from './pages-domain.ts'

const columns = [
  'pagesDomain.id',
  'pagesDomain.projectId',
  'pagesDomain.name',
  'pagesDomain.autoSslEnabled',
  'pagesDomain.certificate',
  'pagesDomain.sealedKey',
  'pagesDomain.certificateStartsAt',
  'pagesDomain.certificateEndsAt',
  'pagesDomain.verificationCode',
  'pagesDomain.verifiedAt',
  'pagesDomain.enabledUntil',
  'pagesDomain.createdAt',
] as const

/** Domains with all their columns. */
export const domains = ({ db }: Pick<Handle, 'db'>) => db.selectFrom('pagesDomain').select(columns)

/** A domain by id, while it exists. */
export const domainById = (handle: Pick<Handle, 'db'>, id: number): Promise<PagesDomainRow | undefined> =>
  domains(handle).where('id', '=', id).executeTakeFirst()

/** A project's domain by name, in any case. */
export async function domainOf(ctx: Context, projectId: number, name: string): Promise<PagesDomainRow> {
  const row = await domains(ctx)
    .where(lower('name'), '=', domainKey(name))
    .where('projectId', '=', projectId)
    .executeTakeFirst()
  if (!row) throw notFound('PagesDomain')
  return row
}

/** Somebody has the name already, in whatever project. */
export async function isTaken(ctx: Context, name: string): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('pagesDomain')
    .where(lower('name'), '=', domainKey(name))
    .select('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Where no pages are served there are no domains of pages. */
export const refuseWithoutPages = ({ ports }: Pick<Context, 'ports'>): void => {
  if (!ports.pages.enabled) throw notFound()
}

/** The same for one project, which may have switched off its own. */
export async function refuseWithoutPagesIn(ctx: Context, projectId: number): Promise<void> {
  refuseWithoutPages(ctx)
  const row = await ctx.db.selectFrom('project').where('id', '=', projectId).select('settings').executeTakeFirst()
  if (projectSettings(row?.settings ?? null).pagesAccessLevel === 'disabled') throw notFound()
}
