import { CiConfigError } from './config-error.ts'
import { countRows, expandParallel, maxInstances } from './parallel.ts'
import { type Entries, isEntries } from './yaml.ts'

/** A job of a pipeline file that another one waits for. */
export interface CiNeed {
  /** Name of a job, or of one instance of a parallel job. */
  readonly job: string
  readonly optional: boolean
  /** `parallel` with a `matrix` that selects instances; undefined for all. */
  readonly parallel: Entries | undefined
}

/** The jobs in `needs`; undefined without `needs`: the job waits for all jobs of earlier stages. */
export const readNeeds = (needs: unknown): readonly CiNeed[] | undefined => {
  if (needs === undefined || needs === null) return undefined
  return (Array.isArray(needs) ? needs.flat(10) : [needs]).flatMap((need): readonly CiNeed[] => {
    if (typeof need === 'string') return [{ job: need, optional: false, parallel: undefined }]
    // Needs of other pipelines and projects wait for nothing in this pipeline.
    if (!isEntries(need) || typeof need.job !== 'string' || need.pipeline || need.project) return []
    const parallel = isEntries(need.parallel) ? need.parallel : undefined
    return [{ job: need.job, optional: need.optional === true, parallel }]
  })
}

/** The name of the job of an instance: `test` of `test 1/2`, `deploy` of `deploy: [eu]`. */
const instancePattern = /^(?<job>.+?)(?: \d+\/\d+|: \[.*\])$/s

interface ParallelJob {
  readonly name: string
  readonly keys: Entries
}

/** Finds a job by its name, or by the name of one of its instances. */
export const createJobFinder = <T extends ParallelJob>(
  byName: ReadonlyMap<string, T>,
): ((name: string) => T | undefined) => {
  const instancesOf = new Map<T, ReadonlySet<string>>()
  return (name) => {
    const own = byName.get(name)
    if (own !== undefined) return own
    const job = byName.get(instancePattern.exec(name)?.groups?.job ?? '')
    if (job === undefined) return undefined
    let instances = instancesOf.get(job)
    if (instances === undefined) {
      instances = new Set(expandParallel(job.name, job.keys.parallel).map((instance) => instance.name))
      instancesOf.set(job, instances)
    }
    return instances.has(name) ? job : undefined
  }
}

/** Jobs that one job can need: the default of GitLab. */
const maxNeeds = 50

const selectedInstances = ({ job, parallel }: CiNeed): ReadonlySet<string> | undefined => {
  if (parallel === undefined || !Array.isArray(parallel.matrix) || countRows(parallel.matrix) > maxInstances)
    return undefined
  return new Set(expandParallel(job, parallel).map(({ name }) => name))
}

/**
 * The names of the instances that a job needs; null for all jobs of earlier stages.
 *
 * @param instancesOf the instances in the pipeline by the name of their job, and each one by its own name
 * @throws CiConfigError if a needed job is not part of the pipeline
 */
export const resolveNeeds = (
  name: string,
  needs: readonly CiNeed[] | undefined,
  instancesOf: (name: string) => readonly string[] | undefined,
): readonly string[] | null => {
  if (needs === undefined) return null
  const resolved = needs.flatMap((need) => {
    const selected = selectedInstances(need)
    const instances = instancesOf(need.job)?.filter((instance) => selected?.has(instance) ?? true)
    if (!instances?.length && !need.optional)
      throw new CiConfigError(
        `'${name}' job needs '${need.job}' job, but '${need.job}' does not exist in the pipeline. This might be because of the only, except, or rules keywords. To need a job that sometimes does not exist in the pipeline, use needs:optional.`,
      )
    return instances ?? []
  })
  if (resolved.length > maxNeeds)
    throw new CiConfigError(
      `${name}: one job can only need ${maxNeeds} others, but you have listed ${resolved.length}. See needs keyword documentation for more details`,
    )
  return resolved
}

/** Whether jobs wait for each other: removes jobs that need no other remaining one, until none or only cycles remain. */
export const haveCycle = (needsOf: ReadonlyMap<string, readonly string[]>): boolean => {
  const waiting = new Map<string, number>()
  const dependents = new Map<string, string[]>()
  for (const [name, needs] of needsOf) {
    const known = needs.filter((need) => needsOf.has(need))
    waiting.set(name, known.length)
    for (const need of known) {
      const others = dependents.get(need) ?? []
      others.push(name)
      dependents.set(need, others)
    }
  }
  const free = [...waiting].flatMap(([name, count]) => (count === 0 ? [name] : []))
  for (const name of free)
    for (const dependent of dependents.get(name) ?? []) {
      const count = (waiting.get(dependent) ?? 0) - 1
      waiting.set(dependent, count)
      if (count === 0) free.push(dependent)
    }
  return free.length < needsOf.size
}

export const circularNeeds = 'The pipeline has circular dependencies: check `needs`'
