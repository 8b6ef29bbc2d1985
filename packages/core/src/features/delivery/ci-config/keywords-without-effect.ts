import { listOf } from './rules.ts'
import { type Entries, isEntries } from './yaml.ts'

const hasEntry = (value: unknown, ...keys: readonly string[]): boolean =>
  listOf(value).some((entry) => isEntries(entry) && keys.some((key) => Object.hasOwn(entry, key)))

const rulesWith = (rules: unknown, key: string, entry: string): boolean =>
  listOf(rules).some((rule) => isEntries(rule) && hasEntry(rule[key], entry))

/**
 * Keywords that change which jobs run in GitLab and are accepted without an effect here, because nothing is executed. The lint
 * warns of them, and the guide lists them. Keywords that only concern the runner of a job are not among them.
 */
const ofJobs: Readonly<Record<string, (job: Entries) => boolean>> = {
  retry: ({ retry }) => retry !== undefined && retry !== null && retry !== 0,
  resource_group: ({ resource_group: group }) => group !== undefined && group !== null,
  'allow_failure:exit_codes': ({ allow_failure: allowed, rules }) =>
    hasEntry(allowed, 'exit_codes') || rulesWith(rules, 'allow_failure', 'exit_codes'),
  'needs:project': ({ needs }) => hasEntry(needs, 'project'),
  'needs:pipeline': ({ needs }) => hasEntry(needs, 'pipeline'),
}

const ofWorkflow: Readonly<Record<string, (workflow: Entries) => boolean>> = {
  'auto_cancel:on_job_failure': ({ auto_cancel: policy, rules }) =>
    hasEntry(policy, 'on_job_failure') || rulesWith(rules, 'auto_cancel', 'on_job_failure'),
}

const describe = (place: string, entries: Entries, keywords: typeof ofJobs): readonly string[] =>
  Object.entries(keywords).flatMap(([keyword, isUsed]) =>
    isUsed(entries) ? [`${place}:${keyword} has no effect: it is accepted, but not applied`] : [],
  )

interface ConfigKeywords {
  readonly jobs: readonly { readonly name: string; readonly keys: Entries }[]
  readonly workflow: Entries
}

/** The warnings about keywords without an effect. */
export const findKeywordsWithoutEffect = ({ jobs, workflow }: ConfigKeywords): readonly string[] => [
  ...describe('workflow', workflow, ofWorkflow),
  ...jobs.flatMap(({ name, keys }) => describe(`jobs:${name}`, keys, ofJobs)),
]
