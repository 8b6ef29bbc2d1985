import * as v from 'valibot'
import { findLineage } from '../../../access/namespaces.ts'
import { group as groupSubject, project as projectSubject } from '../../../access/subjects.ts'
import type { Namespace } from '../../../contract/namespace.ts'
import type { Project } from '../../../contract/project.ts'
import type { Context } from '../../../kernel/context.ts'
import { invalid, PlatformError } from '../../../kernel/errors.ts'
import { Id } from '../../../kernel/inputs.ts'
import { hasAbility } from '../../../policy/authorize.ts'
import { loadIfVisible, loadVisible } from '../../../policy/visible.ts'

export const templateInput = {
  /** Name of a project in `templatesGroup`, whose branches and tags are copied. There are no built-in templates. */
  templateName: v.optional(v.pipe(v.string(), v.nonEmpty(), v.maxLength(255))),
  /** Id of a project in `templatesGroup`, instead of `templateName`: names can be ambiguous. */
  templateProject: v.optional(Id),
  /** Whether the template is a project of `templatesGroup`, as it must be. Requires the paid tier. Default: false. */
  useCustomTemplate: v.optional(v.boolean(), false),
  /**
   * Id of the group that contains the templates. Projects in groups can use those of a group whose parent contains them, on any
   * level.
   */
  templatesGroup: v.optional(Id),
}

const TemplateSchema = v.object(templateInput)
type TemplateInput = v.InferOutput<typeof TemplateSchema>

/** Separates the template from the other input of a new project. */
export const splitTemplate = <T extends TemplateInput>(input: T) => {
  const { templateName, templateProject, useCustomTemplate, templatesGroup, ...rest } = input
  return { template: { templateName, templateProject, useCustomTemplate, templatesGroup }, rest }
}

const isInside = async (ctx: Context, namespace: Namespace, parentId: number | null) =>
  namespace.kind === 'user' || (parentId !== null && (await findLineage(ctx, namespace.id)).includes(parentId))

/**
 * The project that a new one copies; undefined without a template.
 *
 * @throws PlatformError `invalid` for a template that is unknown, or whose code the current user cannot read
 */
export async function findTemplate(
  ctx: Context,
  namespace: Namespace,
  { templateName, templateProject, useCustomTemplate, templatesGroup }: TemplateInput,
): Promise<Project | undefined> {
  const unknown = () =>
    templateProject === undefined
      ? invalid({ templateName: [`'${templateName ?? ''}' is unknown or invalid`] })
      : invalid({ templateProject: ['is unknown or invalid'] })
  if (!useCustomTemplate) {
    if ((templateName ?? templateProject ?? templatesGroup) === undefined) return undefined
    throw unknown()
  }
  if (ctx.tier === 'free') throw new PlatformError('not_licensed', 'Templates of groups require the paid tier')
  if (templatesGroup === undefined) throw unknown()
  const { group } = await loadVisible(ctx, groupSubject, { group: templatesGroup })
  if (!(await isInside(ctx, namespace, group.parentId)))
    throw invalid({ namespace: ['is not a descendant of the group that owns the template'] })
  const rows = ctx.db.selectFrom('project').where('namespaceId', '=', group.id).orderBy('id').select('id')
  const row = await (templateProject === undefined
    ? rows.where('name', '=', templateName ?? '')
    : rows.where('id', '=', templateProject)
  ).executeTakeFirst()
  const source = row && (await loadIfVisible(ctx, projectSubject, { project: row.id }))
  if (!source || !hasAbility(ctx.actor, source, 'code.read')) throw unknown()
  return source.project
}
