import { CliError, UsageError } from './cli-error.ts'

/** Characters, as the platform accepts them. */
const minLength = 8
const maxLength = 128

/**
 * The first line of the standard input. A terminal would show what is typed, and arguments are visible to other users of the
 * machine.
 *
 * @throws CliError if the standard input is a terminal, or empty, or its password is too short or too long
 */
export const readPassword = async (): Promise<string> => {
  const { stdin } = process
  if (stdin.isTTY)
    throw new CliError('Pass the password on the standard input: forgelet user password <username> < password.txt')
  let text = ''
  for await (const chunk of stdin.setEncoding('utf8')) {
    text += chunk
    if (text.includes('\n') || text.length > maxLength) break
  }
  const [line = ''] = text.split(/\r?\n/, 1)
  if (line === '') throw new CliError('The standard input contains no password')
  if (line.length < minLength || line.length > maxLength)
    throw new UsageError(`The password on the standard input must have ${minLength} to ${maxLength} characters`)
  return line
}
