import { type ParsedConfig, parseCiConfig } from '../../packages/core/src/features/delivery/ci-config/config.ts'
import { CiConfigError } from '../../packages/core/src/features/delivery/ci-config/config-error.ts'
import { type PipelineConditions, planPipeline } from '../../packages/core/src/features/delivery/ci-config/plan.ts'
import type {
  ChangeList,
  RepositoryReader,
} from '../../packages/core/src/features/delivery/ci-config/repository-reader.ts'

const conditions: PipelineConditions = {
  ref: 'main',
  isTag: false,
  source: 'push',
  variables: { CI_COMMIT_BRANCH: 'main', CI_PIPELINE_SOURCE: 'push', CI_COMMIT_REF_SLUG: 'main' },
  given: {},
  masked: [],
  inputs: {},
}

type Files = Readonly<Record<string, string>>

/** Files of the project, and of others as `acme/ci:path`; `changes` by the ref that they are compared to. */
export interface World extends Partial<PipelineConditions> {
  readonly files?: Files
  readonly changes?: Readonly<Record<string, ChangeList>>
}

const readerOf = ({ files = {}, changes = {} }: World): RepositoryReader => ({
  readFile: async (path, { project }) => files[project === undefined ? path : `${project}:${path}`],
  async listPaths({ project, ref }) {
    if (ref === 'missing') return 'missing ref'
    const names = Object.keys(files)
    if (project === undefined) return ['README.md', 'src/index.ts', ...names.filter((name) => !name.includes(':'))]
    const own = names.flatMap((name) => (name.startsWith(`${project}:`) ? [name.slice(project.length + 1)] : []))
    return own.length ? own : 'missing project'
  },
  listChanges: async (compareTo) =>
    compareTo === undefined ? (changes[''] ?? ['src/index.ts']) : (changes[compareTo] ?? 'missing ref'),
})

export const parse = (text: string, world: World = {}): Promise<ParsedConfig> =>
  parseCiConfig(text, {
    reader: readerOf(world),
    contextProject: 'acme/web',
    variables: world.variables ?? conditions.variables,
    masked: world.masked ?? [],
    inputs: world.inputs ?? {},
  })

export const plan = async (text: string, world: World = {}) => {
  const { config, errors } = await parse(text, world)
  if (!config) throw new CiConfigError(...errors)
  return planPipeline(config, { ...conditions, ...world }, readerOf(world))
}

export const namesOf = async (text: string, world?: World) => (await plan(text, world)).jobs.map(({ name }) => name)

export const job = (name: string, ...lines: readonly string[]) =>
  [`${name}:`, '  script: make', ...lines.map((line) => `  ${line}`), ''].join('\n')
