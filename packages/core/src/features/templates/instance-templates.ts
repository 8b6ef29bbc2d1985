import * as v from 'valibot'
import { notFound } from '../../kernel/errors.ts'
import type { Ports } from '../../ports/ports.ts'
import type { TemplateKind, TemplateOf } from '../../ports/templates.ts'

/** The values of placeholders in licences. */
export const licenseInput = {
  /** Holder of the copyright, for `[fullname]`. */
  fullname: v.optional(v.pipe(v.string(), v.maxLength(255))),
  /** Name of the project, for `[project]`. */
  projectName: v.optional(v.pipe(v.string(), v.maxLength(255))),
}

/** The year of a call, for `[year]`. */
export const readYear = ({ now }: { readonly now: string }): string => now.slice(0, 4)

/** @throws PlatformError `not_found` for an unknown key */
export async function findTemplate<K extends TemplateKind>(
  { templates }: Pick<Ports, 'templates'>,
  kind: K,
  key: string,
): Promise<TemplateOf<K>> {
  const list = await templates.list(kind)
  const found = list.find((template) => template.key.toLowerCase() === key.toLowerCase())
  if (found === undefined) throw notFound('')
  return found as TemplateOf<K>
}
