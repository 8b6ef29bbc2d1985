import * as v from 'valibot'
import type { Subjects } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { type Page, type PagingInput, paginateArray } from '../../../kernel/paging.ts'
import type { Ports } from '../../../ports/ports.ts'
import type { FileTemplate, LicenseTemplate, TemplateKind, TemplateOf } from '../../../ports/templates.ts'
import type { OpenedRepository } from '../repository/opened-repository.ts'
import { type CustomTemplate, listCustomTemplates, openTemplateProjects } from './custom-templates.ts'
import {
  type License,
  type LicenseValues,
  type Template,
  type TemplateSummary,
  toLicense,
  toSummary,
} from './template.ts'

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

/** Where templates come from: the port, and the repositories of `openTemplateProjects`. */
export interface TemplateSources extends Pick<Ports, 'templates'> {
  readonly projects: readonly OpenedRepository[]
}

/** The sources of a project, or of the instance. */
export const readTemplateSources = async (ctx: Context, subject?: Subjects['project']): Promise<TemplateSources> => ({
  templates: ctx.ports.templates,
  projects: await openTemplateProjects(ctx, subject),
})

/** @throws PlatformError `not_found` for an unknown key */
async function findTemplate<K extends TemplateKind>(
  { templates, projects }: TemplateSources,
  kind: K,
  key: string,
): Promise<TemplateOf<K> | FileTemplate> {
  const custom = (await listCustomTemplates(projects, kind)).find((template) => isSameKey(template.key, key))
  const content = await custom?.read()
  if (custom && content !== undefined) return { key: custom.key, name: custom.name, content }
  const found = (await templates.list(kind)).find((template) => isSameKey(template.key, key))
  if (found === undefined) throw notFound('')
  return found
}

const isSameKey = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

type FileKind = Exclude<TemplateKind, 'licenses'>

/** A page of the templates of a kind, those of projects first. */
export const listTemplates = async (
  { templates, projects }: TemplateSources,
  kind: TemplateKind,
  paging: PagingInput,
): Promise<Page<TemplateSummary>> =>
  paginateArray(
    [...(await listCustomTemplates(projects, kind)), ...(await templates.list(kind))].map(toSummary),
    paging,
  )

/** The text of a template. @throws PlatformError `not_found` for an unknown key */
export async function readTemplate(sources: TemplateSources, kind: FileKind, key: string): Promise<Template> {
  const { name, content } = await findTemplate(sources, kind, key)
  return { name, content }
}

/** A license with its text. @throws PlatformError `not_found` for an unknown key */
export const readLicense = async (sources: TemplateSources, key: string, values: LicenseValues): Promise<License> =>
  toLicense(await findTemplate(sources, 'licenses', key), values)

/** A page of licenses with their texts, those of projects first, which are never popular. */
export const listLicenses = async (
  { templates, projects }: TemplateSources,
  popular: boolean,
  paging: PagingInput,
): Promise<Page<License>> => {
  const known = await templates.list('licenses')
  const { items, ...page } = popular
    ? paginateArray<LicenseTemplate | CustomTemplate>(
        known.filter((license) => license.popular),
        paging,
      )
    : paginateArray<LicenseTemplate | CustomTemplate>(
        [...(await listCustomTemplates(projects, 'licenses')), ...known],
        paging,
      )
  const texts = items.map(async (item) =>
    toLicense('read' in item ? { key: item.key, name: item.name, content: (await item.read()) ?? '' } : item),
  )
  return { ...page, items: await Promise.all(texts) }
}
