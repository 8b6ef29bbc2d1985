import { describe, expect, test } from 'vitest'
import { job, namesOf, parse, plan, type World } from '../../../../../../test/support/planned-file.ts'
import { createConfigBudget } from './budget.ts'
import { CiConfigError } from './config-error.ts'
import { compileExpression } from './expression.ts'
import { createScope } from './variables.ts'

const errorsOf = async (text: string, world?: World) => (await parse(text, world)).errors

describe('a pipeline file', () => {
  test('with `extends`, anchors, references and defaults', async () => {
    const { config, errors, merged } = await parse(`
default: { image: node, tags: [docker] }
.base: &base
  script: [make]
  variables: { A: one, B: two }
.setup:
  script: [install, prepare]
build:
  extends: .base
  variables: { B: three }
test:
  <<: *base
  stage: test
  before_script:
    - first
    - !reference [.setup, script]
lint:
  extends: [.base, build]
  tags: [shell]
`)
    expect(errors).toEqual([])
    expect(merged).toMatchObject({ build: { script: ['make'], variables: { A: 'one', B: 'three' } } })
    const keys = Object.fromEntries((config?.jobs ?? []).map((found) => [found.name, found.keys]))
    expect(keys.test).toMatchObject({ before_script: ['first', 'install', 'prepare'], image: 'node', tags: ['docker'] })
    expect(keys.lint).toMatchObject({ tags: ['shell'], variables: { B: 'three' } })
  })

  test('with included files of the repository and of another project', async () => {
    const { errors, includes, config } = await parse(
      `include: [a.yml, { project: acme/ci, file: /b.yml }]\n${job('own')}`,
      {
        files: {
          'a.yml': `include: { local: nested/c.yaml }\n${job('a')}`,
          'nested/c.yaml': job('c'),
          'acme/ci:b.yml': `include: d.yml\n${job('b')}`,
          'acme/ci:d.yml': job('d'),
        },
      },
    )
    expect(errors).toEqual([])
    expect(config?.jobs.map(({ name }) => name).toSorted()).toEqual(['a', 'b', 'c', 'd', 'own'])
    expect(includes.map(({ type, location }) => `${type} ${location}`)).toEqual([
      'local a.yml',
      'local nested/c.yaml',
      'file b.yml',
      'file d.yml',
    ])
  })

  test.each([
    ['', 'Invalid configuration format'],
    ['[1, 2]', 'Invalid configuration format'],
    ['a: [', '(<unknown>): '],
    ['.hidden: { script: x }', 'jobs config should contain at least one visible job'],
    ['build: text', 'jobs:build config should be a hash'],
    ['build: { stage: test }', 'jobs:build config should implement a script: or a trigger: keyword'],
    ['build: { script: x, scrpt: y, imag: z }', 'jobs:build config contains unknown keys: scrpt, imag'],
    ['build: { script: 1 }', 'jobs:build:script config should be a string or a nested array of strings'],
    ['build: { script: x, when: sometimes }', 'jobs:build:when should be one of: on_success'],
    [
      'build: { script: x, stage: none }',
      'build job: chosen stage does not exist; available stages are .pre, build, test',
    ],
    ['build: { script: x, needs: [none] }', 'build job: undefined need: none'],
    ['build: { script: x, dependencies: [none] }', 'build job: undefined dependency: none'],
    [`${job('a', 'stage: build', 'needs: [b]')}${job('b')}`, 'a job: need b is not defined in current or prior stages'],
    [`${job('a', 'needs: [b]')}${job('b', 'needs: [a]')}`, 'The pipeline has circular dependencies'],
    ['a: { extends: .none, script: x }', 'a: unknown keys in `extends` (.none)'],
    [
      '.a: { extends: .b }\n.b: { extends: .a }\nc: { extends: .a, script: x }',
      'circular dependency detected in `extends`',
    ],
    ['a: { script: !reference [.none, script] }', '!reference [".none", "script"] could not be found'],
    ['a: { script: !reference [a, script] }', 'nested too deeply'],
    ['a: { script: x, rules: [{ if: "$A ==" }] }', 'jobs:a:rules:rule[0]:if config should be a valid expression'],
    ['a: { script: x, rules: [], only: [main] }', 'jobs:a config key may not be used with `rules`: only'],
    ['include: missing.yml', 'Local file `missing.yml` does not exist!'],
    ['include: https://example.com/a.yml', 'Remote file `https://example.com/a.yml` is not supported'],
    ['include: { template: Auto.gitlab-ci.yml }', 'include:template is not supported'],
    ['include: text.txt', 'Included file `text.txt` does not have YAML extension!'],
    ['include: loop.yml', 'Maximum of 150 nested includes are allowed!'],
    [
      `workflow: { rules: [{ when: never, unless: x }] }\n${job('a')}`,
      'workflow:rules:rule[0] config contains unknown keys: unless',
    ],
  ])('%j is invalid', async (text, message) => {
    expect((await errorsOf(text, { files: { 'loop.yml': 'include: loop.yml' } })).join('\n')).toContain(message)
  })

  test.each([
    [
      'repeated anchors',
      [
        'a: &a [x,x,x,x,x,x,x,x,x]',
        ...'bcdefghij'.split('').map((name, at) => `${name}: &${name} [${`*${'abcdefghij'[at]},`.repeat(9)}]`),
      ].join('\n'),
    ],
    ['deep nesting', `a: ${'['.repeat(20_000)}`],
    ['a huge file', `a: "${'x'.repeat(1_100_000)}"`],
    [
      'names of built-in properties',
      '__proto__: { script: x }\nconstructor: { script: y }\ntoString: !reference [__proto__, polluted]',
    ],
  ])('with %s is rejected', async (_, text) => {
    expect(await errorsOf(text)).not.toEqual([])
    expect(({} as { script?: unknown }).script).toBeUndefined()
  })
})

describe('an expression', () => {
  const variables = { A: 'one', EMPTY: '', BRANCH: 'release/1.2', PATTERN: '/^rel/' }
  test.each([
    ['$A', true],
    ['$EMPTY', false],
    ['$NONE', false],
    ['$A == "one"', true],
    ["$A != 'one'", false],
    ['$NONE == null', true],
    ['$A == $A && ($EMPTY || $NONE == null)', true],
    ['$BRANCH =~ /^release\\/\\d/', true],
    ['$BRANCH =~ /^RELEASE/i', true],
    ['$BRANCH !~ /^main$/', true],
    ['$BRANCH =~ $PATTERN', true],
    ['$toString', false],
    ['$'.concat('{A} == "one"'), true],
  ])('%s', (text, expected) => {
    expect(compileExpression(text)(createScope([variables], createConfigBudget()).get)).toBe(expected)
  })

  test.each(['', '$A ==', '== 1', '$A = 1', '($A', '$A $B', '$A =~ /(?=x)/', `${'('.repeat(3_000)}$A`])(
    '%j is invalid',
    (text) => {
      expect(() => compileExpression(text)).toThrow(CiConfigError)
    },
  )
})

describe('the plan of a pipeline', () => {
  test('has the jobs in the order of their stages, with the names of parallel jobs', async () => {
    const { jobs } = await plan(
      job(
        'deploy',
        'stage: deploy',
        'when: manual',
        'environment: { name: review/$CI_COMMIT_REF_SLUG }',
        'needs: [test]',
      ) +
        job('test', 'parallel: 2') +
        job('build', 'stage: build', 'parallel: { matrix: [{ OS: [linux, mac], ARCH: arm }] }', 'tags: [big]'),
    )
    expect(jobs.map(({ name }) => name)).toEqual([
      'build: [linux, arm]',
      'build: [mac, arm]',
      'test 1/2',
      'test 2/2',
      'deploy',
    ])
    expect(jobs[0]).toMatchObject({ stage: 'build', stageIndex: 1, tags: ['big'], needs: null, kind: 'build' })
    expect(jobs[4]).toMatchObject({
      startsWhen: 'manual',
      allowFailure: true,
      environment: 'review/main',
      needs: ['test 1/2', 'test 2/2'],
    })
  })

  test('follows rules: the first that matches decides', async () => {
    const file =
      job('a', 'rules: [{ if: "$CI_COMMIT_BRANCH == null" }]') +
      job('b', 'rules: [{ changes: ["docs/**"], when: never }, { changes: ["src/**/*.ts"] }]') +
      job('c', 'rules: [{ exists: [README.md], when: manual }]') +
      job('d', 'rules: [{ exists: [missing] }]') +
      job('e', 'rules: [{ when: never }]')
    const { jobs } = await plan(file)
    expect(jobs.map(({ name, startsWhen, allowFailure }) => [name, startsWhen, allowFailure])).toEqual([
      ['b', 'on_success', false],
      ['c', 'manual', false],
    ])
    expect(await namesOf(file, { changes: { '': 'all' } })).toEqual(['c'])
  })

  test('follows only and except', async () => {
    const file =
      job('branches', 'only: [branches]') +
      job('tags', 'only: [tags]') +
      job('requests', 'only: [merge_requests]') +
      job('pattern', 'only: [/^ma/]') +
      job('not-main', 'except: [main]') +
      job('by-variable', 'only: { variables: ["$CI_PIPELINE_SOURCE == \\"push\\""] }')
    expect(await namesOf(file)).toEqual(['branches', 'pattern', 'by-variable'])
    expect(await namesOf(file, { ref: 'v1', isTag: true })).toEqual(['tags', 'not-main', 'by-variable'])
    expect(await namesOf(file, { source: 'merge_request_event' })).toEqual(['requests'])
  })

  test('has the name and the variables of the workflow', async () => {
    const file = `
workflow:
  name: 'Build of $CI_COMMIT_BRANCH for $TARGET'
  rules: [{ if: '$CI_COMMIT_BRANCH', variables: { TARGET: staging } }]
${job('a', 'rules: [{ if: "$TARGET == \\"staging\\"" }]')}`
    expect(await plan(file)).toMatchObject({ name: 'Build of main for staging', jobs: [{ name: 'a' }] })
    await expect(plan(file, { variables: {} })).rejects.toThrow('Pipeline filtered out by workflow rules.')
  })

  test.each([
    [job('a', 'only: [tags]'), 'No stages / jobs for this pipeline.'],
    [job('a', 'stage: .pre'), 'No stages / jobs for this pipeline.'],
    [
      job('a', 'only: [tags]') + job('b', 'needs: [a]'),
      "'b' job needs 'a' job, but 'a' does not exist in the pipeline",
    ],
    [
      job('a', `parallel: { matrix: [{ A: [${'1,'.repeat(20)}], B: [${'1,'.repeat(20)}] }] }`),
      'generates too many jobs (maximum is 200)',
    ],
  ])('is rejected %#', async (text, message) => {
    await expect(plan(text)).rejects.toThrow(message)
  })

  test('omits optional needs that are not part of it', async () => {
    const file = job('a', 'only: [tags]') + job('b', 'needs: [{ job: a, optional: true }]')
    expect((await plan(file)).jobs).toMatchObject([{ name: 'b', needs: [] }])
  })
})

describe('each instance of a parallel job', () => {
  const matrix = `
variables: { REGION: none, TARGET: deploy-$REGION }
deploy:
  script: make
  stage: deploy
  tags: ['$PROVIDER', 'node-$CI_NODE_INDEX-of-$CI_NODE_TOTAL']
  variables: { NAME: $PROVIDER/$TARGET }
  environment: { name: $NAME, url: https://$REGION.example.com }
  parallel:
    matrix:
      - PROVIDER: aws
        REGION: [eu, us]
      - PROVIDER: gcp
        REGION: eu
`

  test('has the variables of its row in tags, environment and other variables', async () => {
    const { jobs } = await plan(matrix)
    expect(
      jobs.map(({ name, tags, environment, environmentOptions }) => [name, tags, environment, environmentOptions?.url]),
    ).toEqual([
      ['deploy: [aws, eu]', ['aws', 'node-1-of-3'], 'aws/deploy-eu', 'https://eu.example.com'],
      ['deploy: [aws, us]', ['aws', 'node-2-of-3'], 'aws/deploy-us', 'https://us.example.com'],
      ['deploy: [gcp, eu]', ['gcp', 'node-3-of-3'], 'gcp/deploy-eu', 'https://eu.example.com'],
    ])
  })

  test('decides with its rules whether it runs, and jobs need those that do', async () => {
    const rules = `
  rules:
    - { if: $PROVIDER == "gcp", when: manual }
    - { if: $REGION == "us", variables: { REGION: north } }
after: { script: make, stage: deploy, needs: [deploy] }
`
    const { jobs } = await plan(matrix + rules)
    expect(jobs.map(({ name, startsWhen, environment }) => [name, startsWhen, environment])).toEqual([
      ['deploy: [aws, us]', 'on_success', 'aws/deploy-north'],
      ['deploy: [gcp, eu]', 'manual', 'gcp/deploy-eu'],
      ['after', 'on_success', null],
    ])
    expect(jobs.at(-1)?.needs).toEqual(['deploy: [aws, us]', 'deploy: [gcp, eu]'])
  })

  test('of a trigger starts its own pipeline', async () => {
    const { jobs } = await plan(`
start:
  trigger: { project: acme/$WHERE }
  variables: { PLACE: at-$WHERE }
  parallel: { matrix: [{ WHERE: [a, b] }] }
`)
    expect(jobs.map(({ trigger }) => [trigger?.project, trigger?.variables])).toEqual([
      ['acme/a', { PLACE: 'at-a', WHERE: 'a' }],
      ['acme/b', { PLACE: 'at-b', WHERE: 'b' }],
    ])
  })

  test('has variables that do not refer to themselves without end', async () => {
    const { jobs } = await plan('variables: { A: x$B, B: y$A }\ntest: { script: make, environment: { name: $A } }\n')
    expect(jobs.map(({ environment }) => environment)).toEqual(['xy$A'])
  })
})
