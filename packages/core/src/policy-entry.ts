import './db/supported-node.ts'

export type { Noteable, Subjects } from './contract/subjects.ts'
export { hasAbility } from './policy/authorize.ts'
export type { Rule } from './policy/rule.ts'
export { isVisibleTo, subjectNames } from './policy/visible.ts'
export { policy } from './policy.ts'
