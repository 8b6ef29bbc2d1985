import { expect, test } from 'vitest'
import { actionName, type EventAction, type EventTarget, type PushRecord } from './event.ts'

const table: readonly [EventAction, EventTarget | null, PushRecord['action'] | null, string][] = [
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

test.each(table)('%s %s %s reads "%s"', (action, targetKind, push, words) => {
  expect(actionName({ action, targetKind, push: push && { action: push } })).toBe(words)
})

test('a project from elsewhere is imported', () => {
  expect(actionName({ action: 'created', targetKind: 'project', push: null, imported: true })).toBe('imported')
})
