import type { Signals } from '../contract/signals.ts'

/** Each domain event once; the type checker finds missing ones. */
const names: Readonly<Record<keyof Signals, true>> = {
  'label.created': true,
  'label.updated': true,
  'label.removed': true,
  'label.promoted': true,
  'issue.opened': true,
  'issue.updated': true,
  'issue.closed': true,
  'issue.reopened': true,
  'mergeRequest.opened': true,
  'mergeRequest.updated': true,
  'mergeRequest.closed': true,
  'mergeRequest.reopened': true,
  'mergeRequest.merged': true,
  'note.created': true,
  'note.updated': true,
  'todo.requested': true,
  'note.removed': true,
  'milestone.opened': true,
  'milestone.closed': true,
  'milestone.reopened': true,
  'emoji.awarded': true,
  'code.pushed': true,
  'project.created': true,
  'project.updated': true,
  'project.removed': true,
  'group.removed': true,
  'member.joined': true,
  'member.left': true,
  'accessRequest.opened': true,
  'accessRequest.ended': true,
}

/** The names of all domain events. */
export const signalNames = Object.keys(names) as readonly (keyof Signals)[]
