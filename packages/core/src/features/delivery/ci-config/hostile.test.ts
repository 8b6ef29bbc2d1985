import { describe, expect, test } from 'vitest'
import type { PipelineConditions } from './plan.ts'
import { withPipelineFile } from './planner.ts'
import type { RepositoryReader } from './repository-reader.ts'

const conditions: PipelineConditions = {
  ref: 'main',
  isTag: false,
  source: 'push',
  variables: { CI_COMMIT_MESSAGE: 'a'.repeat(200_000), CI_COMMIT_BRANCH: 'main' },
  given: {},
  masked: [],
  inputs: {},
}

const listOf = (count: number, write: (at: number) => string) => Array.from({ length: count }, (_, at) => write(at))
const repeat = (count: number, write: (at: number) => string) => listOf(count, write).join('')

/** Processes a text; measures the longest time in which no timer could run. */
const process = async (text: string, files: Readonly<Record<string, string>> = {}) => {
  let longest = 0
  let last = performance.now()
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }, 5)
  const reader: RepositoryReader = {
    readFile: async (path) => files[path],
    listPaths: async () => ['README.md', 'src/index.ts', ...Object.keys(files)],
    listChanges: async () => ['src/index.ts'],
  }
  try {
    return await withPipelineFile({ text, contextProject: 'acme/web', conditions, reader }, async (file) => {
      const described = await file.describe().catch((error: Error) => ({ problem: error.message }))
      const planned = await file.plan().then(
        ({ jobs }) => jobs.length,
        (error: Error) => error.message,
      )
      return { errors: file.summary.errors, planned, described, longest }
    })
  } finally {
    clearInterval(timer)
  }
}

const values = (count: number) => listOf(count, (at) => String(at)).join(', ')
const variables = (count: number) => repeat(count, (at) => `    KEY_${at}: "1"\n`)
const tooBig = /^The parsed YAML is too big/
const tooComplex = /^The pipeline file is too complex/

/** Texts and included files, with the error of the file or of its plan. */
const hostile: Readonly<
  Record<string, readonly [text: () => string, error: RegExp, files?: () => Record<string, string>]>
> = {
  'a matrix of nine keys with ten values': [
    () =>
      `test:\n  script: make\n  parallel:\n    matrix:\n      - ${repeat(9, (at) => `K${at}: [${values(10)}]\n        `)}`,
    /jobs:test:parallel config generates too many jobs \(maximum is 200\)/,
  ],
  'a matrix of many parts': [
    () => `test:\n  script: make\n  parallel:\n    matrix:\n${repeat(5_000, (at) => `      - A: [${at}, x]\n`)}`,
    /generates too many jobs/,
  ],
  '1,000 jobs with 200 instances each': [
    () => repeat(1_000, (at) => `job${at}: { script: make, parallel: 200 }\n`),
    /too many jobs: 1\d{3}, the maximum is 1000/,
  ],
  '2,000 jobs that extend one with 5,000 variables': [
    () =>
      `.base:\n  variables:\n${variables(5_000)}${repeat(2_000, (at) => `j${at}: { extends: .base, script: x, variables: { A: b } }\n`)}`,
    tooBig,
  ],
  'references to a long list in 3,000 jobs': [
    () =>
      `.long:\n  script: [${values(2_000)}]\n${repeat(3_000, (at) => `j${at}: { script: [!reference [.long, script]] }\n`)}`,
    tooBig,
  ],
  'a long list in the defaults of 3,000 jobs': [
    () =>
      `default: { before_script: [${listOf(2_000, () => 'x').join(', ')}] }\n${repeat(3_000, (at) => `j${at}: { script: x }\n`)}`,
    tooBig,
  ],
  'merge keys of a long mapping in 900 jobs': [
    () => `.v: &v\n${repeat(5_000, (at) => `  K${at}: 1\n`)}${repeat(900, (at) => `j${at}:\n  <<: *v\n`)}`,
    tooBig,
  ],
  'anchors that use anchors': [
    () =>
      `a0: &a0 [${values(10)}]\n${repeat(9, (at) => `a${at + 1}: &a${at + 1} [${listOf(10, () => `*a${at}`).join(', ')}]\n`)}`,
    tooBig,
  ],
  'one anchor of a long list that is used often': [
    () => `a: &a [${values(2_000)}]\n${repeat(900, (at) => `j${at}: { script: *a }\n`)}`,
    tooBig,
  ],
  'deep flow collections': [() => `a: ${'['.repeat(100_000)}`, /./],
  'deep block collections': [
    () => repeat(300, (at) => `${' '.repeat(at)}k:\n`),
    /too big: it has more than 100 levels/,
  ],
  'many tags': [() => `a: ${'!x '.repeat(100_000)}`, tooComplex],
  'variables that double': [
    () =>
      `variables:\n  A0: ${'x'.repeat(100)}\n${repeat(30, (at) => `  A${at + 1}: $A${at}$A${at}\n`)}test: { script: make, environment: { name: $A30 } }\n`,
    /A value with its variables is longer than 65536 characters/,
  ],
  'variables that double to nothing': [
    () =>
      `variables:\n  A0: ""\n${repeat(60, (at) => `  A${at + 1}: $A${at}$A${at}\n`)}test: { script: make, rules: [{ if: $A60 == "x" }], environment: { name: $A60 } }\n`,
    /No stages|^1$/,
  ],
  'an included file that includes itself': [
    () => 'include: a.yml\n',
    /Maximum of 150 nested includes/,
    () => ({ 'a.yml': 'include: [a.yml, a.yml]\n' }),
  ],
  'huge included files': [
    () => `include: [${listOf(140, () => 'a.yml').join(', ')}]\n`,
    /The included files are too big/,
    () => ({ 'a.yml': `variables: { A: ${'x'.repeat(20_000)} }\n` }),
  ],
  'rules that compare with 30 refs': [
    () => repeat(30, (at) => `j${at}: { script: x, rules: [{ changes: { paths: [a], compare_to: r${at} } }] }\n`),
    /more than 20 projects and refs/,
  ],
  'included files whose rules search 30 projects': [
    () =>
      `include:\n${repeat(30, (at) => `  - { local: a.yml, rules: [{ exists: { paths: [x], project: a/p${at} } }] }\n`)}`,
    /more than 20 projects and refs/,
    () => ({ 'a.yml': 'a: { script: x }' }),
  ],
  'patterns of included files': [
    () => `include: ["${'*a'.repeat(20_000)}.yml", "${'**/'.repeat(300)}*.yml"]
`,
    /is not a valid pattern/,
  ],
  'needs of 300 rows of a matrix': [
    () =>
      `a: { script: x, parallel: 2 }\nb: { script: x, needs: [{ job: a, parallel: { matrix: [{ A: [${values(100)}], B: [${values(100)}], C: [${values(100)}] }] } }] }\n`,
    /generates too many jobs/,
  ],
  'a job that needs 60 others': [
    () =>
      `${repeat(60, (at) => `n${at}: { script: make }\n`)}last: { script: make, needs: [${listOf(60, (at) => `n${at}`).join(', ')}] }\n`,
    /one job can only need 50 others, but you have listed 60/,
  ],
  'a path pattern with a huge range': [() => 'test:\n  script: make\n  rules:\n    - exists: ["{1..90000000}"]\n', /./],
  'patterns on a long text in 900 jobs': [
    () =>
      repeat(
        900,
        (at) => `j${at}:\n  script: x\n  rules:\n    - if: $CI_COMMIT_MESSAGE =~ /(a|aa|b|[a-z]x){1,40}y${at}/\n`,
      ),
    /No stages|too complex/,
  ],
  'a job name of 500,000 characters with unknown keys': [
    () => `? ${'x'.repeat(500_000)}\n: { ${repeat(2_000, (at) => `u${at}: 1, `)} }\n`,
    /name is too long/,
  ],
}

describe('a hostile pipeline file has an error in bounded time, without blocking the event loop:', () => {
  for (const [name, [text, error, files]] of Object.entries(hostile))
    test(name, { timeout: 30_000 }, async () => {
      const { errors, planned, described, longest } = await process(text(), files?.())
      expect([...errors, String(planned)].find((problem) => error.test(problem))).toBeDefined()
      expect(JSON.stringify([errors, described]).length).toBeLessThan(20_000_000)
      // A limit far above the milliseconds of an idle machine, and below the seconds that the work takes.
      expect(longest).toBeLessThan(2_000)
    })
})

describe('a large pipeline file is processed:', () => {
  test('30,000 stages', async () => {
    const stages = listOf(30_000, (at) => `s${at}`).join(', ')
    const { errors, planned } = await process(
      `stages: [${stages}]\n${repeat(900, (at) => `j${at}: { stage: s${at * 33}, script: x }\n`)}`,
    )
    expect([errors, planned]).toEqual([[], 900])
    const unknown = await process(
      `stages: [${stages}]\n${repeat(900, (at) => `j${at}: { stage: x${at}, script: x }\n`)}`,
    )
    expect(unknown.errors).toHaveLength(100)
    expect(unknown.errors.join('').length).toBeLessThan(110_000)
  })

  test('a chain of 3,000 needs', async () => {
    const chain = (count: number) =>
      repeat(count, (at) => `j${at}: { script: x${at ? `, needs: [j${at - 1}]` : ''} }\n`)
    expect(await process(chain(1_000))).toMatchObject({ errors: [], planned: 1_000 })
    const { errors, planned } = await process(chain(3_000))
    expect(errors).toEqual([])
    expect(planned).toContain('too many jobs')
    const circle = await process(`${chain(3_000)}a: { script: x, needs: [b, j2999] }\nb: { script: x, needs: [a] }\n`)
    expect(circle.errors).toEqual(['The pipeline has circular dependencies: check `needs`'])
  })

  test('after another one was too complex', async () => {
    expect(await process('test: { script: make }')).toMatchObject({ errors: [], planned: 1 })
  })
})
