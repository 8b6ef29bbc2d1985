import { expect, test } from 'vitest'
import type { JobStartCondition } from '../../code/pipeline-records/job.ts'
import type { PipelineStatus } from '../../code/pipeline-records/status.ts'
import { findReadyJobs } from './ready-jobs.ts'

interface Options {
  readonly stage?: number
  readonly when?: JobStartCondition
  readonly needs?: readonly string[]
  readonly mayFail?: boolean
}

const job = (
  name: string,
  status: PipelineStatus,
  { stage = 0, when = 'on_success', needs, mayFail }: Options = {},
) => ({
  name,
  status,
  kind: 'build' as const,
  stageIndex: stage,
  startsWhen: when,
  needs: needs ?? null,
  allowFailure: mayFail ?? false,
})

const ready = (...jobs: ReturnType<typeof job>[]) =>
  Object.fromEntries([...findReadyJobs(jobs)].map(([{ name }, status]) => [name, status]))

test('jobs of the first stage start, jobs of later stages wait', () => {
  expect(ready(job('a', 'created'), job('b', 'created'), job('c', 'created', { stage: 1 }))).toEqual({
    a: 'pending',
    b: 'pending',
  })
  expect(ready(job('a', 'running'), job('c', 'created', { stage: 1 }))).toEqual({})
})

test.each([
  ['success', { next: 'pending', cleanUp: 'pending', onFailure: 'skipped', ask: 'manual', later: 'scheduled' }],
  ['failed', { next: 'skipped', cleanUp: 'pending', onFailure: 'pending', ask: 'skipped', later: 'skipped' }],
  ['skipped', { next: 'pending', cleanUp: 'pending', onFailure: 'skipped', ask: 'manual', later: 'scheduled' }],
  ['canceled', { next: 'skipped', cleanUp: 'skipped', onFailure: 'skipped', ask: 'skipped', later: 'skipped' }],
  ['manual', {}],
] as const)('after %s', (status, expected) => {
  const next = (name: string, when: JobStartCondition) => job(name, 'created', { stage: 1, when })
  expect(
    ready(
      job('a', status),
      next('next', 'on_success'),
      next('cleanUp', 'always'),
      next('onFailure', 'on_failure'),
      next('ask', 'manual'),
      next('later', 'delayed'),
    ),
  ).toEqual(expected)
})

test('allowed failures and optional manual jobs do not stop the next stage', () => {
  expect(ready(job('a', 'failed', { mayFail: true }), job('b', 'created', { stage: 1 }))).toEqual({ b: 'pending' })
  expect(ready(job('a', 'manual', { mayFail: true }), job('b', 'created', { stage: 1 }))).toEqual({ b: 'pending' })
})

test('jobs with needs start without regard to stages', () => {
  const slow = job('slow', 'running')
  expect(ready(slow, job('a', 'success'), job('b', 'created', { stage: 1, needs: ['a'] }))).toEqual({ b: 'pending' })
  expect(ready(slow, job('b', 'created', { stage: 1, needs: [] }))).toEqual({ b: 'pending' })
  expect(ready(slow, job('b', 'created', { stage: 1, needs: ['slow'] }))).toEqual({})
  expect(ready(job('a', 'skipped'), job('b', 'created', { stage: 1, needs: ['a'] }))).toEqual({ b: 'skipped' })
  expect(ready(job('a', 'skipped'), job('b', 'created', { stage: 1, needs: ['a'], when: 'always' }))).toEqual({
    b: 'pending',
  })
})

test('commit statuses never start by themselves', () => {
  expect(findReadyJobs([{ ...job('a', 'created'), kind: 'external' }]).size).toBe(0)
})
