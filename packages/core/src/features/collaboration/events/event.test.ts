import { expect, test } from 'vitest'
import type { PushRecord } from '../../code/repository/push.ts'
import { type EventAction, type EventTargetKind, toActionName } from './event.ts'

const actionNameCases: readonly [EventAction, EventTargetKind | null, PushRecord['action'] | null, string][] = [
  ['pushed', null, 'created', 'pushed new'],
  ['pushed', null, 'removed', 'deleted'],
  ['pushed', null, 'pushed', 'pushed to'],
  ['closed', 'issue', null, 'closed'],
  ['closed', 'mergeRequest', null, 'closed'],
  ['closed', 'milestone', null, 'closed'],
  ['merged', 'mergeRequest', null, 'accepted'],
  ['joined', null, null, 'joined'],
  ['left', null, null, 'left'],
  ['expired', null, null, 'removed due to membership expiration from'],
  ['destroyed', 'milestone', null, 'destroyed'],
  ['commented', 'note', null, 'commented on'],
  ['created', 'project', null, 'created'],
  ['created', 'issue', null, 'opened'],
  ['created', 'milestone', null, 'opened'],
  ['reopened', 'issue', null, 'opened'],
  ['reopened', 'mergeRequest', null, 'opened'],
  ['updated', 'issue', null, 'opened'],
]

test.each(actionNameCases)('names %s %s %s "%s"', (action, targetKind, push, name) => {
  expect(toActionName({ action, targetKind, push: push && { action: push } })).toBe(name)
})

test('names the creation of an imported project "imported"', () => {
  expect(toActionName({ action: 'created', targetKind: 'project', push: null, imported: true })).toBe('imported')
})
