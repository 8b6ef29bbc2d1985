import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { restrictableFeatures } from '../../packages/core/src/access/levels.ts'
import { settingDefinition, settingNames } from '../../packages/core/src/features/administration/settings/definition.ts'
import { root } from '../docs/snippets.ts'

/**
 * A setting that code reads has an effect, and one that no code reads has none. Descriptions have to agree: "Stored only" for
 * settings of projects and groups, no `effect` for those of the instance.
 */

const features = 'packages/core/src/features'

/** Places that pass settings on without a decision. */
const isCopy = (file: string) => /\/settings(?:-\w+)?\.ts$|\/settings\/|\.test\.ts$|\/archives\//.test(file)

/** The words of each source file. */
const sources = globSync([`${features}/**/*.ts`, 'packages/core/src/access/**/*.ts'], { cwd: root })
  .toSorted()
  .map((file) => ({ file, words: new Set(readFileSync(join(root, file), 'utf8').match(/\w+/g)) }))

const readers = (name: string): string[] => sources.filter(({ words }) => words.has(name)).map(({ file }) => file)

/** Names with the text of their comment. */
const describedFields = (file: string, start: string) => {
  const source = readFileSync(join(root, file), 'utf8')
  const body = source.slice(source.indexOf(start), source.indexOf('\n}\n', source.indexOf(start)))
  const fields = body.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n {2}(\w+):/g)
  return [...fields].map(([, text = '', name = '']) => ({ name, isStoredOnly: text.includes('Stored only') }))
}

/** Read by code of other things with the same name, or without a decision: the record returns them under a second name. */
const otherReaders: Readonly<Record<string, readonly string[]>> = {
  emailsDisabled: [`${features}/spaces/projects/operations.ts`],
  mrDefaultTargetSelf: [`${features}/code/forks/operations.ts`],
  ...Object.fromEntries(
    ['sharedRunnersMinutesLimit', 'extraSharedRunnersMinutesLimit'].map((name) => [
      name,
      // A list names the settings of administrators.
      [
        ...readers(name).filter((file) => file.includes('/accounts/users/')),
        `${features}/accounts/namespaces/settings.ts`,
      ],
    ]),
  ),
}

test.each([
  [`${features}/spaces/projects/settings.ts`, 'const generalSettings = {'],
  [`${features}/spaces/projects/settings-features.ts`, 'const featureSettings = {'],
  [`${features}/spaces/projects/settings-merging.ts`, 'const mergingSettings = {'],
  [`${features}/spaces/projects/settings-pipelines.ts`, 'const pipelineSettings = {'],
  [`${features}/accounts/namespaces/settings.ts`, 'const settingSchemas = {'],
])('%s says which settings are stored only', (file, start) => {
  const fields = describedFields(file, start)
  expect(fields.length).toBeGreaterThan(5)
  const code = readFileSync(join(root, file), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')
  for (const { name, isStoredOnly } of fields) {
    const others = readers(name).filter((one) => !isCopy(one) && !otherReaders[name]?.includes(one))
    // The policy reads these levels by the name of the feature.
    if (restrictableFeatures.some((feature) => name === `${feature}AccessLevel`))
      others.push('packages/core/src/policy.ts')
    // Beside its schema and its default.
    const effective =
      code.split(new RegExp(`\\b${name}\\b`)).length > 3 && !otherReaders[name]?.includes(file)
        ? [...others, file]
        : others
    expect({ name, isStoredOnly, readers: effective }).toEqual({
      name,
      isStoredOnly: effective.length === 0,
      readers: effective,
    })
  }
})

/** Settings of groups with the same name. */
const sharedNames = ['autoDevopsEnabled', 'fileTemplateProjectId', 'id', 'createdAt', 'updatedAt', 'terms']

test('no code reads a setting of the instance that is listed without an effect', () => {
  for (const name of settingNames) {
    if (settingDefinition(name).effect !== undefined || sharedNames.includes(name)) continue
    expect({ name, readers: readers(name).filter((one) => !isCopy(one)) }).toEqual({ name, readers: [] })
  }
})
