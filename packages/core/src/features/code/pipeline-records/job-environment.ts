/** What a job does with its environment. Only `start` deploys, and `stop` stops the environment. */
export const environmentActions = ['start', 'prepare', 'stop', 'verify', 'access'] as const

export type EnvironmentAction = (typeof environmentActions)[number]

export const environmentTiers = ['production', 'staging', 'testing', 'development', 'other'] as const

export type EnvironmentTier = (typeof environmentTiers)[number]

/** The environment of a job, without its name. */
export interface JobEnvironmentOptions {
  /** What the job does with the environment. */
  action: EnvironmentAction
  /** URL of the deployed application; `$CI_ENVIRONMENT_SLUG` is replaced by the slug of the environment. Null for none. */
  url: string | null
  /** Name of the job that stops the environment; null for none. */
  onStop: string | null
  /** Time after a deployment until the environment is stopped, such as `1 week`; null if it is not. */
  autoStopIn: string | null
  /** Kind of environment; null if it follows from the name. */
  deploymentTier: EnvironmentTier | null
}

/** The environment of a job. */
interface JobEnvironment {
  readonly environment: string | null
  readonly environmentOptions: JobEnvironmentOptions | null
}

/** What a job does with its environment; undefined without one. */
export const getEnvironmentAction = ({ environment, environmentOptions }: JobEnvironment) =>
  environment === null ? undefined : (environmentOptions?.action ?? 'start')

const maxLength = 255

export const tooLongMessage = `is too long (maximum is ${maxLength} characters)`

/** The problems of the name of an environment; empty for a valid one. */
export const findNameProblems = (name: string): string[] => {
  if (name.trim() === '') return ["can't be blank"]
  return [
    ...(name.length > maxLength ? [tooLongMessage] : []),
    ...(/^[a-zA-Z0-9_${}. -]/.test(name) && /^[a-zA-Z0-9_/${}. -]*$/.test(name) && !name.endsWith('/')
      ? []
      : [
          "can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', and spaces, but it cannot start or end with '/'",
        ]),
  ]
}

/** The tiers of environments by patterns of their names, as GitLab derives them. */
const tierPatterns: readonly (readonly [tier: EnvironmentTier, pattern: RegExp])[] = [
  ['development', /(dev|review|trunk)/i],
  ['testing', /(test|tst|int|ac(ce|)pt|qa|qc|control|quality)/i],
  ['staging', /(st(a|)g|mod(e|)l|pre|demo|non)/i],
  ['production', /(pr(o|)d|live)/i],
]

/** The tier of an environment that does not name one. */
export const guessTier = (name: string): EnvironmentTier =>
  tierPatterns.find(([, pattern]) => pattern.test(name))?.[0] ?? 'other'
