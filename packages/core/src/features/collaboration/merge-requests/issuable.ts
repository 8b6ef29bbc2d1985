import type { Subjects } from '../../../contract/subjects.ts'
import { oneOf } from '../../../policy/compose-subjects.ts'
import type { IssuableKey } from '../../planning/issuables/participants.ts'
import { issue } from '../../planning/issues/subject.ts'
import { mergeRequest } from './subject.ts'

/** An issue or a merge request, by its project and iid. */
export const issuable = oneOf(issue, mergeRequest)

export type IssuableSubject = Subjects['issue'] | Subjects['mergeRequest']

export const getRecord = (subject: IssuableSubject) => (subject.kind === 'issue' ? subject.issue : subject.mergeRequest)

/** The key of the issue or merge request for queries of its relations. */
export const toIssuableKey = (subject: IssuableSubject): IssuableKey => {
  const { id, authorId } = getRecord(subject)
  return { kind: subject.kind, id, authorId }
}
