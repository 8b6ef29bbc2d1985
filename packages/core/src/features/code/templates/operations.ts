import * as v from 'valibot'
import { instance } from '../../../access/subjects.ts'
import { afterTransaction } from '../../../kernel/deferred.ts'
import { query } from '../../../kernel/operation.ts'
import { pagingEntries } from '../../../kernel/paging.ts'
import {
  licenseInput,
  listLicenses,
  listTemplates,
  readLicense,
  readLicenseValues,
  readTemplate,
  readTemplateSources,
} from './instance-templates.ts'

const FileKind = v.picklist(['gitignores', 'gitlab_ci_ymls', 'dockerfiles'])

const Key = v.pipe(v.string(), v.maxLength(255))

/** Texts to start new files with, from the port `templates` and from the project of the setting `fileTemplateProjectId`. */
export const templateOperations = {
  /** Lists templates of a kind. */
  list: query({
    on: instance,
    can: 'template.read',
    input: {
      ...pagingEntries,
      /** `gitignores`, `gitlab_ci_ymls` or `dockerfiles`. */
      type: FileKind,
    },
    async run(ctx, { type, ...paging }) {
      const sources = await readTemplateSources(ctx)
      return afterTransaction(() => listTemplates(sources, type, paging))
    },
  }),

  /** Gets the text of a template. */
  get: query({
    on: instance,
    can: 'template.read',
    input: {
      /** `gitignores`, `gitlab_ci_ymls` or `dockerfiles`. */
      type: FileKind,
      /** Key of the template, such as `Node`; case-insensitive. */
      key: Key,
    },
    async run(ctx, { type, key }) {
      const sources = await readTemplateSources(ctx)
      return afterTransaction(() => readTemplate(sources, type, key))
    },
  }),

  /** Lists licenses with their texts. */
  listLicenses: query({
    on: instance,
    can: 'template.read',
    input: {
      ...pagingEntries,
      /** Only the most common ones. Default: false. */
      popular: v.optional(v.boolean(), false),
    },
    async run(ctx, { popular, ...paging }) {
      const sources = await readTemplateSources(ctx)
      return afterTransaction(() => listLicenses(sources, popular, paging))
    },
  }),

  /** Gets a license with its text. */
  getLicense: query({
    on: instance,
    can: 'template.read',
    input: {
      /** Key of the license, such as `mit`; case-insensitive. */
      key: Key,
      ...licenseInput,
    },
    async run(ctx, { key, fullname, projectName }) {
      const sources = await readTemplateSources(ctx)
      const values = await readLicenseValues(ctx, { fullname, project: projectName })
      return afterTransaction(() => readLicense(sources, key, values))
    },
  }),
}
