/** The default `PATH`. */
const searchPath = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin:/opt/local/bin:/run/current-system/sw/bin'

/**
 * The complete environment of a git process. Disables system and user configuration, prompts, all transports except `protocols`,
 * translated messages, patterns in paths and replacement objects.
 */
export const buildGitEnvironment = (
  hostEnvironment: Readonly<Record<string, string>>,
  protocols: readonly string[] = [],
): Record<string, string> => ({
  PATH: searchPath,
  ...hostEnvironment,
  GIT_ALLOW_PROTOCOL: protocols.join(':'),
  GIT_ATTR_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_LITERAL_PATHSPECS: '1',
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_PROTOCOL_FROM_USER: '0',
  GIT_TERMINAL_PROMPT: '0',
  LC_ALL: 'C',
})

/** Override the configuration of the repository, so that it cannot name programs to run or change the output format. */
const settings = [
  'core.attributesFile=/dev/null',
  'core.filesRefLockTimeout=2000',
  'core.fsmonitor=false',
  // Completed writes survive a power failure.
  'core.fsync=committed,reference',
  'core.hooksPath=/dev/null',
  'core.quotePath=true',
  'core.warnAmbiguousRefs=false',
  'diff.ignoreSubmodules=none',
  'gc.auto=0',
  'maintenance.auto=false',
]

/** Options before the git command. `--git-dir` disables the search for a repository and the check of its owner. */
export const buildGitOptions = (
  directory: string | undefined,
  extraSettings: readonly string[] = [],
): readonly string[] => [
  '--no-pager',
  ...(directory === undefined ? [] : [`--git-dir=${directory}`]),
  ...[...settings, ...extraSettings].flatMap((setting) => ['-c', setting]),
]

/** The absolute folders of `PATH`. */
export const parseSearchPath = (hostEnvironment: Readonly<Record<string, string | undefined>>): readonly string[] =>
  (hostEnvironment.PATH ?? searchPath).split(':').filter((folder) => folder.startsWith('/'))
