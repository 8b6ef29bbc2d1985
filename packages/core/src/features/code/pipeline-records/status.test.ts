import { expect, test } from 'vitest'
import { composeStatus, isActive, isCancelable, isFinal, type PipelineStatus, pipelineStatuses } from './status.ts'

/** `failed?` is a job that may fail. */
const compose = (text: string) =>
  composeStatus(
    text
      .split(' ')
      .filter(Boolean)
      .map((word) => ({ status: word.replace('?', '') as PipelineStatus, allowFailure: word.endsWith('?') })),
  )

test.each([
  ['', undefined],
  ['success', 'success'],
  ['success skipped', 'success'],
  ['skipped', 'skipped'],
  ['success failed', 'failed'],
  ['success failed?', 'success'],
  ['success canceled?', 'success'],
  ['failed?', 'success'],
  ['success canceled', 'canceled'],
  ['failed canceled', 'failed'],
  ['created created', 'created'],
  ['created failed?', 'created'],
  ['pending created', 'pending'],
  ['preparing', 'preparing'],
  ['success pending', 'running'],
  ['success running', 'running'],
  ['success created', 'running'],
  ['success waiting_for_resource', 'waiting_for_resource'],
  ['success waiting_for_callback', 'waiting_for_callback'],
  ['running canceling', 'canceling'],
  ['success manual', 'manual'],
  ['manual created', 'manual'],
  ['success manual?', 'success'],
  ['manual?', 'skipped'],
  ['manual? skipped', 'skipped'],
  ['failed manual', 'manual'],
  ['failed manual?', 'failed'],
  ['success scheduled', 'scheduled'],
  ['failed scheduled', 'scheduled'],
  ['failed running', 'running'],
  ['failed skipped', 'failed'],
] as const)('jobs %j result in %s', (jobs, status) => {
  expect(compose(jobs)).toBe(status)
})

test('the status of a single job is that of its pipeline', () => {
  for (const status of pipelineStatuses) expect(composeStatus([{ status, allowFailure: false }])).toBe(status)
})

test('statuses are final, or can be canceled, or are canceled or wait for a person', () => {
  const kindOf = (status: PipelineStatus) =>
    isFinal(status) ? 'final' : isCancelable(status) ? 'cancelable' : 'waiting'
  expect(Object.groupBy(pipelineStatuses, kindOf)).toEqual({
    final: ['success', 'failed', 'canceled', 'skipped'],
    cancelable: [
      'created',
      'waiting_for_resource',
      'waiting_for_callback',
      'preparing',
      'pending',
      'running',
      'scheduled',
    ],
    waiting: ['canceling', 'manual'],
  })
  expect(pipelineStatuses.filter(isActive)).toEqual([
    'waiting_for_resource',
    'waiting_for_callback',
    'preparing',
    'pending',
    'running',
    'canceling',
    'scheduled',
  ])
})
