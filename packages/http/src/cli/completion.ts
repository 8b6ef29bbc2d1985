import type { Command } from 'commander'
import { UsageError } from './cli-error.ts'
import type { Invocation } from './invocation.ts'

/** A command and what can follow it. */
interface Completion {
  /** Its words without the program's name: `token create`; empty for the program. */
  readonly path: string
  readonly description: string
  readonly commands: readonly { readonly name: string; readonly description: string }[]
  readonly options: readonly {
    readonly name: string
    readonly description: string
    readonly values: readonly string[]
  }[]
}

const completionsOf = (command: Command, path = ''): readonly Completion[] => {
  const help = command.createHelp()
  const commands = help.visibleCommands(command)
  return [
    {
      path,
      description: command.description(),
      commands: commands.map((child) => ({ name: child.name(), description: child.description() })),
      options: help.visibleOptions(command).map(({ long, description, argChoices = [] }) => ({
        name: long ?? '',
        description,
        values: argChoices,
      })),
    },
    ...commands.flatMap((child) => completionsOf(child, `${path} ${child.name()}`.trim())),
  ]
}

/** In a single-quoted text of bash and zsh. */
const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** Fish has the escapes of backslashes and quotes in single-quoted texts. */
const quoteFish = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`

const words = (items: readonly { readonly name: string }[]) => items.map(({ name }) => name).join(' ')

/** The values of options with choices, as cases on the word before the cursor. */
const bashValues = (completions: readonly Completion[]) => {
  const values = new Map(completions.flatMap(({ options }) => options.map((option) => [option.name, option.values])))
  return [...values].filter(([, choices]) => choices.length)
}

const bash = (completions: readonly Completion[]): string => {
  const values = bashValues(completions).map(
    ([name, choices]) => `    ${name}) COMPREPLY=($(compgen -W ${quote(choices.join(' '))} -- "$current")); return ;;`,
  )
  const cases = completions.map(
    ({ path, commands, options }) =>
      `    ${quote(path)}) candidates=${quote(`${words(commands)} ${words(options)}`.trim())} ;;`,
  )
  const paths = completions.map(({ path }) => quote(path)).join('|')
  return `# bash completion of forgelet
_forgelet() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" route='' word next candidates=''
  case "$previous" in
${values.join('\n')}
  esac
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    next="\${route:+$route }$word"
    case "$next" in ${paths}) route="$next" ;; esac
  done
  case "$route" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$candidates" -- "$current"))
}
complete -o default -F _forgelet forgelet
`
}

/** zsh runs the bash completion, which has the same candidates. */
const zsh = (completions: readonly Completion[]): string =>
  `#compdef forgelet\nautoload -U +X compinit && compinit -u\nautoload -U +X bashcompinit && bashcompinit\n${bash(completions)}`

const fish = (completions: readonly Completion[]): string => {
  const families = completions.filter(({ path, commands }) => path !== '' && commands.length)
  const conditionOf = (path: string) => {
    if (path === '') return '__fish_use_subcommand'
    return path
      .split(' ')
      .map((word) => `__fish_seen_subcommand_from ${word}`)
      .join('; and ')
  }
  const notYet = ({ path, commands }: Completion) =>
    families.some((family) => family.path === path) ? `; and not __fish_seen_subcommand_from ${words(commands)}` : ''
  const lines = completions.flatMap((completion) => {
    const condition = quoteFish(conditionOf(completion.path) + notYet(completion))
    return [
      ...completion.commands.map(
        ({ name, description }) => `complete -c forgelet -n ${condition} -f -a ${name} -d ${quoteFish(description)}`,
      ),
      ...completion.options.map(({ name, description, values }) => {
        const choices = values.length ? ` -x -a ${quoteFish(values.join(' '))}` : ''
        return `complete -c forgelet -n ${condition} -l ${name.slice(2)}${choices} -d ${quoteFish(description)}`
      }),
    ]
  })
  return `# fish completion of forgelet\n${lines.join('\n')}\n`
}

const shells: Readonly<Record<string, (completions: readonly Completion[]) => string>> = { bash, zsh, fish }

/** Prints a completion script. */
export const completionCommand = async ({
  args: [shell = ''],
  program,
}: Invocation<Record<never, never>>): Promise<void> => {
  const write = Object.hasOwn(shells, shell) ? shells[shell] : undefined
  if (!write) throw new UsageError(`There is no completion for '${shell}': use ${Object.keys(shells).join(', ')}`)
  process.stdout.write(write(completionsOf(program)))
}
