import { describe, expect, test } from 'vitest'
import { namesOf, parse, plan, type World } from '../../../../../../test/support/planned-file.ts'

const keysOf = async (text: string, name: string, world?: World) => {
  const { config, errors } = await parse(text, world)
  expect(errors).toEqual([])
  return config?.jobs.find((job) => job.name === name)?.keys
}

describe('merge keys', () => {
  test('apply in the order of the mapping: later ones replace earlier entries', async () => {
    const text = `
.build: &build { stage: build, before_script: [prepare], script: [make] }
.cached: &cached { before_script: [restore], cache: { paths: [cache/] } }
.fast: &fast { FAST: "1", LEVEL: low }
.slow: &slow { FAST: "0" }
test:
  <<: *build
  variables:
    <<: *fast
    <<: *slow
    LEVEL: high
  before_script: [own]
  <<: *cached
  script: [make test]
list:
  <<: [*cached, *build]
`
    expect(await keysOf(text, 'test')).toEqual({
      stage: 'build',
      script: ['make test'],
      variables: { FAST: '0', LEVEL: 'high' },
      before_script: ['restore'],
      cache: { paths: ['cache/'] },
    })
    expect(await keysOf(text, 'list')).toMatchObject({ before_script: ['restore'], script: ['make'] })
  })

  test('that name no mapping are keys', async () => {
    const { errors } = await parse('a: { script: x, <<: text }')
    expect(errors).toEqual(['jobs:a config contains unknown keys: <<'])
  })
})

describe('`only` and `except`', () => {
  const text = `
fork: { script: x, only: [main@other/web] }
own: { script: x, only: [main@acme/web] }
everywhere: { script: x, only: [//@acme/web] }
release: { script: x, only: [/^release-.*$/] }
full: { script: x, only: { variables: ['$FULL == "true"'] } }
docs: { script: x, except: ['/(^docs[\\/-].*|.*-docs$)/'] }
triggered: { script: x, only: [triggers] }
`
  const variables = { CI_PROJECT_PATH: 'acme/web', FULL: 'true' }

  test('can name a project', async () => {
    expect(await namesOf(text, { variables })).toEqual(['own', 'everywhere', 'full', 'docs'])
    expect(await namesOf(text, { variables, ref: 'docs/a' })).toEqual(['everywhere', 'full'])
    expect(await namesOf(text, { variables: { CI_PROJECT_PATH: 'other/web' } })).toEqual(['fork', 'docs'])
    expect(await namesOf(text, { variables, source: 'trigger', ref: 'release-1' })).toEqual([
      'everywhere',
      'release',
      'full',
      'docs',
      'triggered',
    ])
  })

  test('of other parts mean branches and tags', async () => {
    const reviewed = `${text}\nreview: { script: x, only: { refs: [merge_requests], variables: [$FULL] } }`
    expect(await namesOf(reviewed, { variables, source: 'merge_request_event' })).toEqual(['review'])
  })
})

test('rules from hidden lists, and matrices from anchors', async () => {
  const text = `
.if-merged:
  - if: '$CI_PIPELINE_SOURCE == "push" && $CI_PROJECT_URL =~ /.*example.com\\/acme\\/web/'
  - { if: '$CI_PIPELINE_SOURCE == "push"', when: manual }
.matrix: &matrix
  - JVM: &jvms ["8", "17"]
    SPLIT: ["1/2", "2/2"]
.tested: { extends: .base, rules: !reference [.if-merged], needs: [Source Package] }
.base: { tags: [linux], interruptible: true }
variables:
  DEFAULT_JVMS: /^(8|11)$/
  LIMIT: 40_000_000
  PROFILE: { description: Profiling, value: "false" }
Source Package: { extends: .base, stage: .pre, script: make, rules: [!reference [.if-merged]] }
test:
  extends: .tested
  script: make
  parallel: { matrix: *matrix }
  rules: [{ if: $JVM =~ $DEFAULT_JVMS && $PROFILE == "false" && $LIMIT == "40000000" }]
build: { extends: [.tested], script: make, stage: build }
`
  const jobs = async (url: string) =>
    (await plan(text, { variables: { CI_PIPELINE_SOURCE: 'push', CI_PROJECT_URL: url } })).jobs.map(
      ({ name, startsWhen }) => `${name} ${startsWhen}`,
    )
  expect(await jobs('https://example.com/acme/web')).toEqual([
    'Source Package on_success',
    'build on_success',
    'test: [8, 1/2] on_success',
    'test: [8, 2/2] on_success',
  ])
  expect(await jobs('https://example.com/fork/web')).toContain('build manual')
})

test('included files that exclude each other, and templates for needs that jobs replace', async () => {
  const text = `
image: $BASE_IMAGE
include:
  - local: /ci/protected.yml
    rules: [{ if: $CI_COMMIT_BRANCH == "main" }, { if: $CI_COMMIT_BRANCH =~ /^v.*\\..*$/ }]
  - local: /ci/normal.yml
    rules: [{ if: $CI_COMMIT_BRANCH != "main" && $CI_COMMIT_BRANCH !~ /^v.*\\..*$/ }]
  - { local: /ci/untagged.yml, rules: [{ if: $TAGGED == null }] }
variables: { BASE_IMAGE: "$CI_REGISTRY_IMAGE:1" }
before_script: [prepare]
.suite: { extends: .runners, stage: test, needs: [not-a-real-job], script: make }
build:base+32bit: { extends: .runners, stage: build, script: make, timeout: 1h 30min }
test:base: { extends: .suite, needs: ["build:base+32bit"], except: { variables: [$SKIP == "true"] } }
deploy: { stage: deploy, before_script: [], script: make, needs: [{ job: missing, optional: true }] }
`
  const files = {
    'ci/protected.yml': 'lint: { stage: build, script: strict }',
    'ci/normal.yml': 'lint: { stage: build, script: usual }',
    'ci/untagged.yml': '.runners: { retry: 1 }',
  }
  const variables = { CI_COMMIT_BRANCH: 'v1.2', CI_REGISTRY_IMAGE: 'registry.example.com/web' }
  expect(await namesOf(text, { files, variables })).toEqual(['lint', 'build:base+32bit', 'test:base', 'deploy'])
  expect(await keysOf(text, 'lint', { files, variables })).toMatchObject({
    script: 'strict',
    before_script: ['prepare'],
  })
  const other = { ...variables, CI_COMMIT_BRANCH: 'topic', SKIP: 'true' }
  expect(await namesOf(text, { files, variables: other })).toEqual(['lint', 'build:base+32bit', 'deploy'])
  expect(await keysOf(text, 'lint', { files, variables: other })).toMatchObject({ script: 'usual' })
})

test('many jobs from one anchor, repeated keys, and several classes of character', async () => {
  const text = `
.rspec: &rspec { stage: test, script: [make, 'a "b": c'] }
rspec-pg 0 28: *rspec
rspec-pg 1 28: *rspec
package: { script: x, before_script: [], before_script: [again], only: ['/^v[\\d]{4}-[\\d]{2}$/', main] }
image: { name: executor, entrypoint: [""] }
`
  expect(await namesOf(text)).toEqual(['rspec-pg 0 28', 'rspec-pg 1 28', 'package'])
  expect(await keysOf(text, 'package')).toMatchObject({ before_script: ['again'] })
  expect(await namesOf(text, { ref: 'v2026-01', isTag: true })).toContain('package')
  expect(await namesOf(text, { ref: 'v2026' })).not.toContain('package')
})
