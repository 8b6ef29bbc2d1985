import type { StrategyName } from './feature-flag.ts'
import { areUserIds, userIdsProblem } from './user-ids.ts'

type Check = readonly [isValid: (value: string) => boolean, problem: string]

const percentage = (name: string): Check => [
  (value) => /^(?:\d|[1-9]\d|100)$/.test(value),
  `${name} must be a string between 0 and 100 inclusive`,
]

const groupId: Check = [(value) => /^[a-z]{1,32}$/.test(value), 'groupId parameter is invalid']

/** What decides about a user in a gradual rollout. */
const stickiness = ['default', 'userId', 'sessionId', 'random']

/** The parameters of each kind of strategy, all of which are required. */
const rules: Readonly<Record<StrategyName, Readonly<Record<string, Check>>>> = {
  default: {},
  gradualRolloutUserId: { groupId, percentage: percentage('percentage') },
  flexibleRollout: {
    groupId,
    rollout: percentage('rollout'),
    stickiness: [
      (value) => stickiness.includes(value),
      'stickiness parameter must be default, userId, sessionId, or random',
    ],
  },
  userWithId: { userIds: [areUserIds, `userIds ${userIdsProblem}`] },
  gitlabUserList: {},
}

/** The problems with the parameters of a strategy. */
export const findParameterProblems = (
  name: StrategyName,
  parameters: Readonly<Record<string, string>>,
): readonly string[] => {
  const checks = Object.entries(rules[name])
  const isComplete = checks.every(([key]) => Object.hasOwn(parameters, key))
  if (!isComplete || Object.keys(parameters).length !== checks.length)
    return [checks.length ? 'parameters are invalid' : 'parameters must be empty']
  return checks.flatMap(([key, [isValid, problem]]) => (isValid(parameters[key] ?? '') ? [] : [problem]))
}
