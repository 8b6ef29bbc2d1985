import * as v from 'valibot'
import { instance } from '../../../access/subjects.ts'
import { afterTransaction } from '../../../kernel/deferred.ts'
import { query } from '../../../kernel/operation.ts'
import { paginateArray, pagingEntries } from '../../../kernel/paging.ts'
import { findTemplate, licenseInput, listTemplates, readLicenseValues, readTemplate } from './instance-templates.ts'
import { type License, toLicense } from './template.ts'

const FileKind = v.picklist(['gitignores', 'gitlab_ci_ymls', 'dockerfiles'])

const Key = v.pipe(v.string(), v.maxLength(255))

/** Texts to start new files with, from the port `templates`. */
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
    run: async ({ ports }, { type, ...paging }) => afterTransaction(() => listTemplates(ports, type, paging)),
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
    run: async ({ ports }, { type, key }) => afterTransaction(() => readTemplate(ports, type, key)),
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
    run: async ({ ports }, { popular, ...paging }) =>
      afterTransaction(async () => {
        const all = await ports.templates.list('licenses')
        const chosen = popular ? all.filter((license) => license.popular) : all
        return paginateArray(
          chosen.map((license): License => toLicense(license)),
          paging,
        )
      }),
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
      const { ports } = ctx
      const values = await readLicenseValues(ctx, { fullname, project: projectName })
      return afterTransaction(
        async (): Promise<License> => toLicense(await findTemplate(ports, 'licenses', key), values),
      )
    },
  }),
}
