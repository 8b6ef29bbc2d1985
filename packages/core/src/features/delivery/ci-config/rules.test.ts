import { describe, expect, test } from 'vitest'
import { job, namesOf, parse, plan } from '../../../../../../test/support/planned-file.ts'

const include = (...lines: readonly string[]) =>
  `include:\n${lines.map((line) => `  - ${line}\n`).join('')}${job('own')}`

describe('the rules of an included file', () => {
  const files = { 'a.yml': job('a'), 'b.yml': job('b'), 'ci/c.yml': job('c'), 'ci/deep/d.yml': job('d') }
  const variables = { CI_COMMIT_BRANCH: 'main', CI_PIPELINE_SOURCE: 'push', DEPLOY: 'true', NAME: 'a' }
  const changes = { '': ['src/index.ts'], main: ['docs/x.md'], 'refs/tags/v1': ['.github/x.yml'] }

  test.each([
    ['{ local: a.yml, rules: [{ if: $DEPLOY == "true" }] }', ['a', 'own']],
    ['{ local: a.yml, rules: [{ if: $DEPLOY == "false" }] }', ['own']],
    ['{ local: a.yml, rules: [{ if: $DEPLOY == "true", when: never }, { when: always }] }', ['own']],
    ['{ local: a.yml, rules: [{ if: $NONE, when: never }, { when: always }] }', ['a', 'own']],
    ['{ local: a.yml, rules: [{ if: $DEPLOY, when: null }] }', ['a', 'own']],
    ['{ local: a.yml, rules: [] }', ['a', 'own']],
    ['{ local: missing.yml, rules: [{ if: $NONE }] }', ['own']],
    ['{ local: a.yml, rules: [{ exists: [README.md] }] }', ['a', 'own']],
    ['{ local: a.yml, rules: [{ exists: ["src/**/*.ts"], if: $DEPLOY }] }', ['a', 'own']],
    ['{ local: a.yml, rules: [{ exists: [none] }] }', ['own']],
    ['{ local: a.yml, rules: [{ exists: { paths: [x.txt], project: acme/ci } }] }', ['a', 'own']],
    ['{ local: a.yml, rules: [{ changes: ["src/*"] }] }', ['a', 'own']],
    ['{ local: a.yml, rules: [{ changes: ["docs/*"] }] }', ['own']],
    ['{ local: a.yml, rules: [{ changes: { paths: ["docs/*"], compare_to: main } }] }', ['a', 'own']],
    ['{ local: $NAME.yml }', ['a', 'own']],
    ['{ project: acme/$WHERE, file: "$NAME.yml" }', ['other', 'own']],
    ['ci/*.yml', ['c', 'own']],
    ['{ local: "ci/**.yml" }', ['c', 'd', 'own']],
    ['{ local: "ci/**/*.yml" }', ['d', 'own']],
    ['none/*.yml', ['own']],
    ['{ project: acme/ci, file: nested.yml }', ['own', 'x']],
  ])('%s', async (entry, expected) => {
    const other = {
      'acme/ci:a.yml': job('other'),
      'acme/ci:x.txt': '',
      // `exists` searches the repository of the file with the entry.
      'acme/ci:nested.yml':
        'include: [{ local: x.yml, rules: [{ exists: [x.txt] }] }, { local: y.yml, rules: [{ exists: [README.md] }] }]',
      'acme/ci:x.yml': job('x'),
      'acme/ci:y.yml': job('y'),
    }
    const world = { files: { ...files, ...other }, variables: { ...variables, WHERE: 'ci' }, changes }
    expect((await namesOf(include(entry), world)).toSorted()).toEqual(expected)
  })

  test.each([
    ['{ local: a.yml, rules: [{ when: manual }] }', 'include:rules:rule[0]:when should be one of: always, never'],
    ['{ local: a.yml, rules: [{ needs: [x] }] }', 'include:rules:rule[0] config contains unknown keys: needs'],
    ['{ local: a.yml, rules: [{ if: "$A ==" }] }', 'include:rules:rule[0]:if config should be a valid expression'],
    ['{ local: a.yml, rules: { if: $A } }', 'include:rules config should be an array of hashes'],
    [
      '{ local: a.yml, rules: [{ changes: { paths: [x], compare_to: none } }] }',
      'Failed to parse rule for include: rules:changes:compare_to is not a valid ref',
    ],
    [
      '{ local: a.yml, rules: [{ exists: { paths: [x], project: acme/none } }] }',
      'Failed to parse rule for include: rules:exists:project `acme/none` not found or access denied',
    ],
  ])('%s is invalid', async (entry, message) => {
    const { errors } = await parse(include(entry), { files, variables, changes })
    expect(errors.join('\n')).toContain(message)
  })
})

describe('the rules of a job', () => {
  const changes = { '': ['src/index.ts'], main: ['docs/x.md'], 'refs/tags/v1': ['.github/x.yml'] }

  test('compare with the ref that they name', async () => {
    const rule = (name: string, paths: string, ref: string) =>
      job(name, `rules: [{ changes: { paths: ["${paths}"], compare_to: ${ref} } }]`)
    const text = rule('a', 'docs/*', 'main') + rule('b', 'src/*', 'main') + rule('c', '**/*.yml', '$TAG')
    expect(await namesOf(text, { changes, variables: { TAG: 'refs/tags/v1' } })).toEqual(['a', 'c'])
    await expect(plan(rule('a', 'x', 'none'))).rejects.toThrow(
      'Failed to parse rule for a: rules:changes:compare_to is not a valid ref',
    )
  })

  test('search the project and ref that they name', async () => {
    const rule = (exists: string) => job('a', `rules: [{ exists: ${exists} }]`) + job('b')
    const files = { 'acme/ci:x.txt': '' }
    expect(await namesOf(rule('{ paths: [x.txt], project: $P }'), { files, variables: { P: 'acme/ci' } })).toEqual([
      'a',
      'b',
    ])
    expect(await namesOf(rule('{ paths: [README.md], project: acme/ci }'), { files })).toEqual(['b'])
    expect(await namesOf(rule('{ paths: [README.md] }'))).toEqual(['a', 'b'])
    const missing = plan(rule('{ paths: [x.txt], project: acme/ci, ref: missing }'), { files })
    await expect(missing).rejects.toThrow('rules:exists:ref `missing` is not a valid ref in project `acme/ci`')
    expect((await parse(rule('{ paths: [x], ref: main }'))).errors).toEqual([
      'jobs:a:rules:rule[0]:exists config ref needs a project',
    ])
  })

  test('match names with a leading dot', async () => {
    const text = job('a', 'rules: [{ exists: ["**/*.yml"] }]') + job('b', 'rules: [{ exists: [".g*/**/*"] }]')
    expect(await namesOf(text, { files: { '.github/workflows/.x.yml': '' } })).toEqual(['a', 'b'])
  })

  test('have at most 50 patterns', async () => {
    const patterns = `[${Array.from({ length: 51 }, (_, at) => `p${at}`).join(', ')}]`
    const { errors } = await parse(
      job('a', `rules: [{ changes: ${patterns} }]`) + job('b', `rules: [{ exists: { paths: ${patterns} } }]`),
    )
    expect(errors).toEqual([
      'jobs:a:rules:rule[0]:changes config has too many entries (maximum 50)',
      'jobs:b:rules:rule[0]:exists config has too many entries (maximum 50)',
    ])
  })

  test('replace the needs of the job', async () => {
    const text =
      job('a', 'stage: build') +
      job('b', 'stage: build') +
      job('c', 'needs: [a]', 'rules: [{ if: $CI_COMMIT_BRANCH == "main", needs: [b] }, { when: always }]')
    const needsOf = async (variables: Record<string, string>) =>
      (await plan(text, { variables })).jobs.find(({ name }) => name === 'c')?.needs
    expect(await needsOf({ CI_COMMIT_BRANCH: 'main' })).toEqual(['b'])
    expect(await needsOf({})).toEqual(['a'])
    const { errors } = await parse(job('a', 'rules: [{ needs: [none] }]'))
    expect(errors).toEqual(['a job: undefined need: none'])
    const circle = job('a', 'rules: [{ needs: [b] }]') + job('b', 'rules: [{ needs: [a] }]')
    await expect(plan(circle)).rejects.toThrow('circular dependencies')
  })
})

describe('needs', () => {
  const matrix =
    job('build', 'stage: build', 'parallel: { matrix: [{ OS: [linux, mac] }] }') +
    job('unit', 'stage: build', 'parallel: 2')
  const needsOf = async (...needs: readonly string[]) =>
    (await plan(matrix + job('last', `needs: [${needs.join(', ')}]`))).jobs.at(-1)?.needs

  test('name all instances of a parallel job, or some of them', async () => {
    expect(await needsOf('build')).toEqual(['build: [linux]', 'build: [mac]'])
    expect(await needsOf('"build: [mac]"', 'unit 2/2')).toEqual(['build: [mac]', 'unit 2/2'])
    expect(await needsOf('{ job: build, parallel: { matrix: [{ OS: linux }] } }')).toEqual(['build: [linux]'])
    expect((await parse(matrix + job('last', 'needs: ["build: [bsd]"]'))).errors).toEqual([
      'last job: undefined need: build: [bsd]',
    ])
    await expect(needsOf('{ job: build, parallel: { matrix: [{ OS: bsd }] } }')).rejects.toThrow(
      "'last' job needs 'build' job",
    )
  })
})

describe('only and except', () => {
  test('with several parts: all of only, one of except', async () => {
    const text =
      job('a', 'only: { refs: [main], variables: [$NONE] }') +
      job('b', 'except: { refs: [other], variables: [$CI_COMMIT_BRANCH] }') +
      job('c', 'except: { refs: [other], variables: [$NONE] }') +
      job('d', 'only: { kubernetes: active }') +
      job('e', 'except: { kubernetes: active }')
    expect(await namesOf(text)).toEqual(['c', 'e'])
  })
})

test('a workflow with rules lets jobs without conditions into pipelines of merge requests', async () => {
  const jobs =
    job('a') + job('b', 'only: [branches]') + job('c', 'except: [branches]') + job('d', 'rules: [{ when: always }]')
  const world = { source: 'merge_request_event' as const }
  expect(await namesOf(jobs, world)).toEqual(['d'])
  expect(await namesOf(`workflow: { rules: [{ when: always }] }\n${jobs}`, world)).toEqual(['a', 'c', 'd'])
})

describe('variables of the file', () => {
  const text = (inherit: string) =>
    `variables: { A: one, B: two }\n${job('a', `inherit: { variables: ${inherit} }`, 'rules: [{ if: $A, variables: { FOUND: $A-$B } }]', 'environment: { name: x-$FOUND }')}${job('b')}`

  test.each([
    ['true', ['a', 'b'], 'x-one-two'],
    ['false', ['b'], undefined],
    ['[A]', ['a', 'b'], 'x-one-'],
    ['[B]', ['b'], undefined],
  ])('are inherited with inherit:variables: %s', async (inherit, names, environment) => {
    const { jobs } = await plan(text(inherit))
    expect(jobs.map(({ name }) => name)).toEqual(names)
    expect(jobs.find(({ name }) => name === 'a')?.environment).toEqual(environment)
  })

  test('reach a downstream pipeline as trigger:forward says', async () => {
    const given = { GIVEN: 'yes' }
    const start = async (forward: string) =>
      (await plan(`variables: { A: one }\nstart: { trigger: { project: acme/x, forward: ${forward} } }\n`, { given }))
        .jobs[0]?.trigger?.variables
    expect(await start('{}')).toEqual({ A: 'one' })
    expect(await start('{ yaml_variables: false }')).toEqual({})
    expect(await start('{ pipeline_variables: true }')).toEqual({ A: 'one', GIVEN: 'yes' })
  })
})

test('keywords without an effect have warnings', async () => {
  const text =
    job('a', 'retry: 2', 'timeout: 1h', 'resource_group: x', 'allow_failure: { exit_codes: 1 }') +
    job('b', 'needs: [{ project: x/y, job: z, ref: main, artifacts: true }, { pipeline: $P, job: q }]') +
    job('c', 'retry: 0', 'allow_failure: true', 'needs: []') +
    'workflow: { auto_cancel: { on_job_failure: all } }\n'
  const { errors, warnings } = await parse(text)
  expect(errors).toEqual([])
  expect(warnings.map((warning) => warning.replace(/ has no effect:.*/, ''))).toEqual([
    'workflow:auto_cancel:on_job_failure',
    'jobs:a:retry',
    'jobs:a:resource_group',
    'jobs:a:allow_failure:exit_codes',
    'jobs:b:needs:project',
    'jobs:b:needs:pipeline',
  ])
})
