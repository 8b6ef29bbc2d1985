import * as v from 'valibot'
import { project } from '../../../access/subjects.ts'
import type { Subjects } from '../../../contract/subjects.ts'
import type { Context } from '../../../kernel/context.ts'
import { afterTransaction, type Deferred } from '../../../kernel/deferred.ts'
import { notFound } from '../../../kernel/errors.ts'
import { Id } from '../../../kernel/inputs.ts'
import { query } from '../../../kernel/operation.ts'
import { type Page, paginateArray, pagingEntries } from '../../../kernel/paging.ts'
import { hasAbility } from '../../../policy/authorize.ts'
import { loadIfVisible } from '../../../policy/visible.ts'
import { openRepository } from '../repository/opened-repository.ts'
import {
  licenseInput,
  listTemplates,
  readLicense,
  readLicenseValues,
  readTemplate,
  readTemplateSources,
} from '../templates/instance-templates.ts'
import { listRepositoryTemplates, readRepositoryTemplate } from '../templates/repository-templates.ts'
import { type License, projectTemplateKinds, type Template, type TemplateSummary } from '../templates/template.ts'

const Kind = v.picklist(projectTemplateKinds)

/** Undefined without a repository, and for users who cannot read the code. */
const openReadable = async (ctx: Context, subject: Subjects['project']) =>
  hasAbility(ctx.actor, subject, 'code.read') ? openRepository(ctx, subject) : undefined

/** Texts to start files, issues and merge requests of a project with. */
export const projectTemplates = {
  /** Lists templates of the instance and of the groups above, or of the repository: files in `.gitlab/issue_templates` and `.gitlab/merge_request_templates`. */
  list: query({
    on: project,
    can: 'project.read',
    input: {
      ...pagingEntries,
      /** `gitignores`, `gitlab_ci_ymls`, `dockerfiles`, `licenses`, `issues` or `merge_requests`. */
      type: Kind,
    },
    async run(ctx, { type, ...paging }, subject): Promise<Deferred<Page<TemplateSummary>>> {
      if (type !== 'issues' && type !== 'merge_requests') {
        const sources = await readTemplateSources(ctx, subject)
        return afterTransaction(() => listTemplates(sources, type, paging))
      }
      const opened = await openReadable(ctx, subject)
      return afterTransaction(async () => paginateArray(await listRepositoryTemplates(opened, type), paging))
    },
  }),

  /** Gets the text of a template; of a license with its details. */
  get: query({
    on: project,
    can: 'project.read',
    input: {
      /** `gitignores`, `gitlab_ci_ymls`, `dockerfiles`, `licenses`, `issues` or `merge_requests`. */
      type: Kind,
      /** Key of the template, such as `Node` or `Bug`. */
      name: v.pipe(v.string(), v.maxLength(255)),
      ...licenseInput,
      /** Project that contains the template of issues or merge requests. Default: this project. */
      sourceTemplateProjectId: v.optional(Id),
    },
    async run(
      ctx,
      { type, name, fullname, projectName, sourceTemplateProjectId },
      subject,
    ): Promise<Deferred<Template | License>> {
      if (type !== 'issues' && type !== 'merge_requests') {
        const sources = await readTemplateSources(ctx, subject)
        const values = await readLicenseValues(ctx, { fullname, project: projectName ?? subject.project.name })
        return afterTransaction<Template | License>(() =>
          type === 'licenses' ? readLicense(sources, name, values) : readTemplate(sources, type, name),
        )
      }
      const source =
        sourceTemplateProjectId === undefined
          ? subject
          : await loadIfVisible(ctx, project, { project: sourceTemplateProjectId })
      const opened = source && (await openReadable(ctx, source))
      return afterTransaction(async () => {
        const template = await readRepositoryTemplate(opened, type, name)
        if (template === undefined) throw notFound('')
        return template
      })
    },
  }),
}
