/** What a client asks a server for over SSH: `git-upload-pack '/acme/web.git'`. */
export interface GitCommand {
  readonly service: 'upload-pack' | 'receive-pack'
  /** Full path of the project: `acme/web`. */
  readonly project: string
}

const commandPattern = /^git[- ](upload-pack|receive-pack) (.+)$/s

/** git puts the path into single quotes, outside of which it escapes `'` and `!` (sq_quote). Other clients omit the quotes. */
const quotedPattern = /^(?:'[^']*'|\\['!])+$/
const plainPattern = /^[\w./~+@-]+$/

const unquote = (text: string): string | undefined => {
  if (plainPattern.test(text)) return text
  return quotedPattern.test(text) ? text.replaceAll(/'([^']*)'|\\(['!])/g, '$1$2') : undefined
}

/** Undefined for any other command, which is never passed to a shell or to git. */
export const parseGitCommand = (command: string): GitCommand | undefined => {
  const [, service, argument = ''] = commandPattern.exec(command.trim()) ?? []
  const path = unquote(argument.trim())
  if (path === undefined || (service !== 'upload-pack' && service !== 'receive-pack')) return undefined
  const project = path
    .replace(/^\/+/, '')
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
  return project === '' ? undefined : { service, project }
}
