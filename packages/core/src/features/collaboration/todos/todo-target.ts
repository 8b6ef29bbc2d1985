import type { Subjects } from '../../../contract/subjects.ts'
import { oneOf } from '../../../policy/compose-subjects.ts'
import { epic } from '../../planning/epics/subject.ts'
import { issue } from '../../planning/issues/subject.ts'
import { mergeRequest } from '../merge-requests/subject.ts'

export type TodoTargetKind = 'issue' | 'mergeRequest' | 'epic'
export type TodoTarget = Subjects[TodoTargetKind]

/** The target of a todo: an issue or merge request by its iid, an epic by its id. */
export const todoTarget = oneOf(issue, mergeRequest, epic)

export type TodoTargetInput = NonNullable<(typeof todoTarget)['inputType']>

/** A project or group to which a user requests access. */
export interface ContainerKey {
  readonly kind: 'container'
  readonly projectId: number | null
  readonly groupId: number | null
}

/** The ids by which a todo references its target. */
export interface TodoTargetKey {
  readonly kind: TodoTargetKind
  readonly id: number
  readonly projectId: number | null
  readonly groupId: number | null
}

export const toTargetKey = (target: TodoTarget): TodoTargetKey => {
  switch (target.kind) {
    case 'issue':
      return { kind: 'issue', id: target.issue.id, projectId: target.issue.projectId, groupId: null }
    case 'mergeRequest': {
      const { id, projectId } = target.mergeRequest
      return { kind: 'mergeRequest', id, projectId, groupId: null }
    }
    case 'epic':
      return { kind: 'epic', id: target.epic.id, projectId: null, groupId: target.epic.groupId }
  }
}
