/** Where programs are looked for unless the host says otherwise. */
const searchPath = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin:/opt/local/bin:/run/current-system/sw/bin'

/**
 * The whole environment of every git process: no configuration but the repository's own, no questions, no network unless
 * `protocols` names some, no translation, no patterns in paths, no objects that stand in for others.
 */
export const gitEnvironment = (
  host: Readonly<Record<string, string>>,
  protocols: readonly string[] = [],
): Record<string, string> => ({
  PATH: searchPath,
  ...host,
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

/** Settings that win over the repository's own: nothing runs a program that a repository names, output has one form. */
const settings = [
  'core.attributesFile=/dev/null',
  'core.filesRefLockTimeout=2000',
  'core.fsmonitor=false',
  // What a call has acknowledged survives a power cut.
  'core.fsync=committed,reference',
  'core.hooksPath=/dev/null',
  'core.quotePath=true',
  'core.warnAmbiguousRefs=false',
  'diff.ignoreSubmodules=none',
  'gc.auto=0',
  'maintenance.auto=false',
]

/** Options before the name of the git command. The directory is said outright, so git neither searches nor distrusts it. */
export const gitOptions = (directory: string | undefined, more: readonly string[] = []): readonly string[] => [
  '--no-pager',
  ...(directory === undefined ? [] : [`--git-dir=${directory}`]),
  ...[...settings, ...more].flatMap((setting) => ['-c', setting]),
]

/** The folders that programs are searched in. */
export const searchFolders = (host: Readonly<Record<string, string | undefined>>): readonly string[] =>
  (host.PATH ?? searchPath).split(':').filter((folder) => folder.startsWith('/'))
