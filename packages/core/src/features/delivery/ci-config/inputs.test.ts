import { describe, expect, test } from 'vitest'
import { namesOf, parse, type World } from '../../../../../../test/support/planned-file.ts'
import { findVersion } from './component.ts'

const header = (...inputs: readonly string[]) =>
  `spec:\n  inputs:\n${inputs.map((line) => `    ${line}\n`).join('')}---\n`

const keysOf = async (text: string, inputs: World['inputs'] = {}, world: World = {}) => {
  const { errors, merged } = await parse(text, { ...world, inputs })
  expect(errors).toEqual([])
  return merged
}

const errorOf = async (text: string, inputs: World['inputs'] = {}) => (await parse(text, { inputs })).errors

const scan = `${header(
  'job-prefix: { description: Name of the job }',
  'job-stage: { default: test }',
  'environment: { options: [test, staging] }',
  'concurrency: { type: number, default: 1 }',
  'version: { type: string, regex: ^v\\d\\.\\d+(\\.\\d+)$ }',
  'export: { type: boolean, default: true }',
  'rules-config: { type: array, default: [{ if: $CI_COMMIT_TAG, when: manual }] }',
)}
"$[[ inputs.job-prefix ]]-scan":
  stage: $[[ inputs.job-stage ]]
  script: scan -e $[[ inputs.environment ]] -c $[[inputs.concurrency]] -v $[[ inputs.version ]]
  parallel: $[[ inputs.concurrency ]]
  allow_failure: $[[ inputs.export ]]
  rules: $[[ inputs.rules-config ]]
`

describe('the inputs of an included file', () => {
  const including = (inputs: string) => ({
    text: `include: [{ local: scan.yml, inputs: ${inputs} }]`,
    files: { 'scan.yml': scan },
  })

  test('have the types of their declaration', async () => {
    const { text, files } = including('{ job-prefix: web, environment: staging, version: v1.3.2, concurrency: 2 }')
    expect(await keysOf(text, {}, { files })).toEqual({
      'web-scan': {
        stage: 'test',
        script: 'scan -e staging -c 2 -v v1.3.2',
        parallel: 2,
        allow_failure: true,
        rules: [{ if: '$CI_COMMIT_TAG', when: 'manual' }],
      },
    })
  })

  test.each([
    ['{ environment: test, version: v1.0.0 }', '`scan.yml`: `job-prefix` input: required value has not been provided'],
    [
      '{ job-prefix: a, environment: production, version: v1.0.0 }',
      '`scan.yml`: `environment` input: `production` cannot be used because it is not in the list of allowed options',
    ],
    [
      '{ job-prefix: a, environment: test, version: "1.0" }',
      '`scan.yml`: `version` input: provided value does not match required RegEx pattern',
    ],
    [
      '{ job-prefix: a, environment: test, version: v1.0.0, concurrency: two }',
      '`scan.yml`: `concurrency` input: provided value is not a number',
    ],
    [
      '{ job-prefix: a, environment: test, version: v1.0.0, export: "true" }',
      '`scan.yml`: `export` input: provided value is not a boolean',
    ],
    [
      '{ job-prefix: 1, environment: test, version: v1.0.0 }',
      '`scan.yml`: `job-prefix` input: provided value is not a string',
    ],
    ['{ other: 1 }', '`scan.yml`: unknown input arguments: other'],
    ['text', 'include:inputs should be a hash'],
  ])('%s are refused', async (inputs, problem) => {
    const { text, files } = including(inputs)
    expect((await parse(text, { files })).errors).toEqual([problem])
  })

  test('are passed on by the file, whose inputs no other file sees', async () => {
    const files = {
      'a.yml': `${header('name:')}include: { local: b.yml, inputs: { name: "$[[ inputs.name ]]-b" } }\na: { script: "$[[ inputs.name ]]" }`,
      'b.yml': `${header('name:')}b: { script: "$[[ inputs.name ]]" }`,
    }
    const text = 'include: { local: a.yml, inputs: { name: x } }\nc: { script: "$[[ inputs.name ]]" }'
    expect(await keysOf(text, {}, { files })).toEqual({
      a: { script: 'x' },
      b: { script: 'x-b' },
      c: { script: '$[[ inputs.name ]]' },
    })
  })

  test('need a header', async () => {
    const { errors } = await parse('include: { local: a.yml, inputs: { x: y } }', {
      files: { 'a.yml': 'a: { script: x }' },
    })
    expect(errors).toEqual([
      '`a.yml`: Given inputs not defined in the `spec` section of the included configuration file',
    ])
  })
})

describe('a component', () => {
  const files = {
    'acme/ci:templates/lint.yml': `${header('stage: { default: test }')}lint: { script: x, stage: "$[[ inputs.stage ]]" }`,
    'acme/ci:templates/scan/template.yml': 'include: { local: shared.yml }\nscan: { script: x }',
    'acme/ci:shared.yml': 'shared: { script: x }',
  }
  const variables = { CI_SERVER_FQDN: 'git.example.com:8443', CI_SERVER_HOST: 'git.example.com' }
  const include = (address: string) => parse(`include: [{ component: ${address} }]`, { files, variables })

  test('is a file of a project, or of a folder of it', async () => {
    const text = 'include: [{ component: $CI_SERVER_FQDN/acme/ci/lint@1.0, inputs: { stage: build } }]'
    expect(await keysOf(text, {}, { files, variables })).toEqual({ lint: { script: 'x', stage: 'build' } })
    const { merged, includes } = await include('git.example.com/acme/ci/scan@main')
    expect(merged).toEqual({ shared: { script: 'x' }, scan: { script: 'x' } })
    expect(includes.map(({ type, location }) => `${type} ${location}`)).toEqual([
      'component git.example.com/acme/ci/scan@main',
      'file shared.yml',
    ])
  })

  test.each([
    ['git.example.com/acme/ci/missing@1', "Component 'git.example.com/acme/ci/missing@1' - content not found"],
    [
      'gitlab.example.org/acme/ci/lint@1',
      "Component 'gitlab.example.org/acme/ci/lint@1' - content not found: it is not on this host",
    ],
    ['lint', "Component 'lint' - the address needs a host, a project, a name and a version"],
  ])('%s is refused', async (address, problem) => {
    expect((await include(address)).errors).toEqual([problem])
  })

  test.each([
    ['~latest', '10.0.1'],
    ['1', '1.10.0'],
    ['1.2', '1.2.9'],
    ['3', undefined],
    ['1.2.9', undefined],
    ['main', undefined],
  ])('of the version %s is that of the release %s', (version, tag) => {
    const tags = ['v2.0.0', '1.2.9', '10.0.1', '1.10.0', '1.2.10-rc.1', '1.2.0']
    expect(findVersion(version, tags)).toBe(tag)
  })
})

describe('the inputs of a pipeline', () => {
  const text = `${header('count: { type: number, default: 1 }', 'deploy: { type: boolean, default: false }', 'targets: { type: array, default: [] }')}
test:
  script: make
  parallel: $[[ inputs.count ]]
deploy:
  script: make
  rules: [{ if: '"$[[ inputs.deploy ]]" == "true"' }]
  needs: $[[ inputs.targets ]]
`
  test('decide which jobs run; texts stand for other types', async () => {
    expect(await namesOf(text)).toEqual(['test 1/1'])
    const inputs = { count: '2', deploy: 'true', targets: '["test"]' }
    expect(await namesOf(text, { inputs })).toEqual(['test 1/2', 'test 2/2', 'deploy'])
    expect(await namesOf(text, { inputs: { deploy: true } })).toEqual(['test 1/1', 'deploy'])
    expect(await errorOf(text, { count: 'many' })).toEqual(['`count` input: provided value is not a number'])
  })

  test('can have rules, which depend on other inputs', async () => {
    const ruled = `${header(
      'tier: { rules: [{ if: \'$[[ inputs.env ]] == "production"\', options: [large], default: large }, { options: [small, medium], default: small }] }',
      'env: { default: test }',
    )}a: { script: "$[[ inputs.tier ]]" }`
    expect(await keysOf(ruled)).toEqual({ a: { script: 'small' } })
    expect(await keysOf(ruled, { env: 'production' })).toEqual({ a: { script: 'large' } })
    expect(await keysOf(ruled, { tier: 'medium' })).toEqual({ a: { script: 'medium' } })
    expect(await errorOf(ruled, { tier: 'medium', env: 'production' })).toEqual([
      '`tier` input: `medium` cannot be used because it is not in the list of allowed options',
    ])
  })

  test.each([
    ['x: { typ: string }', 'header:spec:inputs:x config contains unknown keys: typ'],
    ['x: { type: date }', 'header:spec:inputs:x input type unknown value: date'],
    ['x: { type: number, default: many }', '`x` input: default value is not a number'],
    ['x: { default: 1 }', '`x` input: default value is not a string'],
    ['x: text', 'header:spec:inputs:x config should be a hash'],
    [
      'x: { default: a, rules: [] }',
      'header:spec:inputs:x config these keys cannot be used together: rules with options or default',
    ],
  ])('with the header %s are refused', async (input, problem) => {
    expect(await errorOf(`${header(input)}a: { script: x }`)).toEqual([problem])
  })
})

describe('a block', () => {
  const variables = { NAME: 'my value', NESTED: 'in $NAME', SECRET: 'secret' }
  const resultOf = async (block: string, value: unknown = 'test $NAME') => {
    const text = `${header('x: { type: string }', 'list: { type: array, default: [{ name: a, on: false }] }')}a: { script: "$[[ ${block} ]]" }`
    const { errors, merged } = await parse(text, { inputs: { x: value }, variables, masked: ['SECRET'] })
    return errors[0] ?? (merged as { readonly a: { readonly script: unknown } } | undefined)?.a.script
  }

  test('applies functions in order', async () => {
    expect(await resultOf('inputs.x')).toBe('test $NAME')
    expect(await resultOf('inputs.x | expand_vars')).toBe('test my value')
    expect(await resultOf('inputs.x | expand_vars | truncate(5,8)')).toBe('my value')
    expect(await resultOf('inputs.x|expand_vars', '$NESTED $UNKNOWN')).toBe('in $NAME $UNKNOWN')
    expect(await resultOf('inputs.x | posix_escape', "it's $5, é\n")).toBe("it\\'s\\ \\$5,\\ \\é'\n'")
    expect(await resultOf('inputs.x | truncate(3,5)', '0123456789')).toBe('34567')
  })

  test('names an input, or a part of one', async () => {
    expect(await resultOf('inputs.list[0].name')).toBe('a')
    expect(await resultOf('inputs.list[1].name')).toContain('unknown interpolation provided: `inputs.list[1].name`')
    expect(await resultOf('inputs.y')).toContain('unknown interpolation provided: `inputs.y`')
    expect(await resultOf(`inputs.x${' '.repeat(1_100)}`)).toBe('interpolation block is too long')
    expect(await resultOf('other')).toContain('unknown interpolation provided: `other`')
  })

  test.each([
    ['inputs.x | expand_vars', '$SECRET', 'error in `expand_vars` function: masked variables cannot be expanded'],
    [
      'inputs.x | upper',
      'a',
      'no function matching `upper`: check that the function name, arguments, and types are correct',
    ],
    ['inputs.list | posix_escape', 'a', 'error in `posix_escape` function: the input is not a string'],
    [
      'inputs.x | truncate(0,1) | truncate(0,1) | truncate(0,1) | truncate(0,1)',
      'a',
      'too many functions in interpolation block',
    ],
  ])('%s of %s is refused', async (block, value, problem) => {
    expect(await resultOf(block, value)).toBe(problem)
  })
})

test('a file without a header keeps its blocks, and a first document without `spec` is the file', async () => {
  expect(await keysOf('a: { script: "$[[ inputs.x ]]" }')).toEqual({ a: { script: '$[[ inputs.x ]]' } })
  expect(await keysOf('a: { script: x }\n---\nb: { script: x }')).toEqual({ a: { script: 'x' } })
  expect(await errorOf('a: 1\n---\nb: 1\n---\nc: 1')).toEqual(['The parsed YAML has too many documents'])
  expect(await errorOf(`${header('x:')}`)).toEqual(['Invalid configuration format'])
})
