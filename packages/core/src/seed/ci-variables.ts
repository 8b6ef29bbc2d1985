import * as v from 'valibot'
import { variableTypes } from '../features/delivery/ci-variables/variable.ts'
import { namedIn } from './identity.ts'
import { type SectionParent, toParentInput } from './section-parent.ts'
import { defineSection, type Seeder } from './seeder.ts'

const CiVariable = v.strictObject({
  key: v.string(),
  value: v.string(),
  variableType: v.optional(v.picklist(variableTypes)),
  protected: v.optional(v.boolean()),
  masked: v.optional(v.boolean()),
  maskedAndHidden: v.optional(v.boolean()),
  raw: v.optional(v.boolean()),
  environmentScope: v.optional(v.string(), '*'),
  description: v.optional(v.string()),
})

/** Variables of the pipelines of a project or a group. */
export const ciVariablesSection = defineSection(
  'variables',
  CiVariable,
  async (seeder: Seeder, variable, parent: SectionParent) => {
    await seeder.asHost().ciVariables.create({ ...toParentInput(parent), ...variable })
  },
  namedIn(
    (host) => host.ciVariables,
    ({ key, environmentScope }) => `${key} ${environmentScope}`,
  ),
)
