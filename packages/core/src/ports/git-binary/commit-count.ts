import { notFound } from '../../kernel/errors.ts'
import type { CountRequest } from '../git.ts'
import { commitIds } from './object-id.ts'
import type { Workplace } from './workplace.ts'

/** See `Repository.count`. */
export const countCommits = async (place: Workplace, { of, without, signal }: CountRequest): Promise<number> => {
  const ids = commitIds([of, ...without])
  const found = await Promise.all(ids.map((id) => place.objects.info(id)))
  if (found.some((object) => object?.type !== 'commit')) throw notFound('Commit')
  const { output } = await place.runner.run({
    directory: place.directory,
    arguments: ['rev-list', '--count', '--stdin'],
    // Read from the input: very many branches would be too long for a command line.
    input: [of, ...without.map((id) => `^${id}`)].map((line) => `${line}\n`),
    timeLimit: place.limits.readTime,
    signal,
  })
  return Number(output.toString('latin1'))
}
