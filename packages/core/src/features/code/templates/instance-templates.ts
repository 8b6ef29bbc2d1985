import * as v from 'valibot'
import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { type Page, type PagingInput, paginateArray } from '../../../kernel/paging.ts'
import type { Ports } from '../../../ports/ports.ts'
import type { TemplateKind, TemplateOf } from '../../../ports/templates.ts'
import { type LicenseValues, type Template, type TemplateSummary, toSummary } from './template.ts'

/** The values of placeholders in licenses. */
export const licenseInput = {
  /** Holder of the copyright, for `[fullname]`. Default: the name of the current user. */
  fullname: v.optional(v.pipe(v.string(), v.maxLength(255))),
  /** Name of the project, for `[project]`. */
  projectName: v.optional(v.pipe(v.string(), v.maxLength(255))),
}

/** What replaces the placeholders of a license in a call. */
export async function readLicenseValues(
  { db, actor, now }: Pick<Context, 'db' | 'actor' | 'now'>,
  { fullname, project }: Omit<LicenseValues, 'year'>,
): Promise<LicenseValues> {
  const user =
    fullname || actor.kind !== 'user'
      ? undefined
      : await db.selectFrom('user').where('id', '=', actor.id).select('name').executeTakeFirst()
  return { fullname: fullname || user?.name, project, year: now.slice(0, 4) }
}

/** @throws PlatformError `not_found` for an unknown key */
export async function findTemplate<K extends TemplateKind>(
  { templates }: Pick<Ports, 'templates'>,
  kind: K,
  key: string,
): Promise<TemplateOf<K>> {
  const list = await templates.list(kind)
  const found = list.find((template) => template.key.toLowerCase() === key.toLowerCase())
  if (found === undefined) throw notFound('')
  return found
}

type FileKind = Exclude<TemplateKind, 'licenses'>

/** A page of the templates of a kind. */
export const listTemplates = async (
  { templates }: Pick<Ports, 'templates'>,
  kind: TemplateKind,
  paging: PagingInput,
): Promise<Page<TemplateSummary>> => paginateArray((await templates.list(kind)).map(toSummary), paging)

/** The text of a template. @throws PlatformError `not_found` for an unknown key */
export async function readTemplate(ports: Pick<Ports, 'templates'>, kind: FileKind, key: string): Promise<Template> {
  const { name, content } = await findTemplate(ports, kind, key)
  return { name, content }
}
